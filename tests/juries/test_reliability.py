from __future__ import annotations

import numpy as np
import pytest

from assize.errors import DataError
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Composition, decide, fit_reliability, gather

TRUE = {"keen": (0.95, 0.85), "fair": (0.8, 0.7), "strict": (0.6, 0.9), "chance": (0.5, 0.5)}


def simulated(
    items: int, seed: int, judges: dict[str, tuple[float, float]] = TRUE, share: float = 0.6
) -> tuple[JudgmentTable, dict[str, str]]:
    """Votes of judges with known alpha and beta, and what is true."""
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < share
    rows = []
    for judge, (alpha, beta) in judges.items():
        right = rng.random(items) < np.where(truth, alpha, beta)
        for number, says_a in enumerate(right == truth):
            answer = "A" if says_a else "B"
            rows.append(Judgment(f"p{number}", judge, "preference", answer=answer))
    gold = {f"p{number}": "A" if one else "B" for number, one in enumerate(truth)}
    return JudgmentTable.of(rows), gold


def test_known_reliabilities_are_recovered_within_their_intervals() -> None:
    table, _ = simulated(3000, seed=1)
    ballots = gather(table, "preference")
    found = fit_reliability(ballots, list(TRUE), ballots.items, rng=np.random.default_rng(0))
    for judge, (alpha, beta) in TRUE.items():
        one = found.judges[judge]
        assert one.alpha == pytest.approx(alpha, abs=0.04)
        assert one.beta == pytest.approx(beta, abs=0.04)
        assert one.alpha_interval[0] < one.alpha < one.alpha_interval[1]
        assert one.beta_interval[1] - one.beta_interval[0] < 0.2
    assert found.share == pytest.approx(0.6, abs=0.05)
    assert not found.doubtful


def test_weighing_by_reliability_beats_the_majority_where_judges_differ() -> None:
    table, gold = simulated(
        2000, seed=2, judges={"keen": (0.95, 0.95), "x": (0.6, 0.6), "y": (0.6, 0.6)}
    )
    right = {}
    for name, composition in (
        ("majority", Composition(panel={"keen": 1.0, "x": 1.0, "y": 1.0})),
        ("weighed", Composition(reliability=True)),
    ):
        verdicts = decide(table, composition).outcome.verdicts
        right[name] = np.mean([one.answer == gold[one.item] for one in verdicts])
    assert right["weighed"] > right["majority"] + 0.05


def test_exchanged_names_of_the_sides_exchange_alpha_and_beta() -> None:
    table, _ = simulated(500, seed=3)
    swap = {"A": "B", "B": "A"}
    mirrored = JudgmentTable.of(
        Judgment(row.item, row.judge, row.question, answer=swap[row.answer or ""]) for row in table
    )
    one, other = (
        fit_reliability(
            gather(rows, "preference"), list(TRUE), table.items, rng=np.random.default_rng(0)
        )
        for rows in (table, mirrored)
    )
    for judge in TRUE:
        assert one.judges[judge].alpha == pytest.approx(other.judges[judge].beta, abs=1e-3)


def test_ties_carry_no_label_and_an_item_of_ties_is_a_tie() -> None:
    table, _ = simulated(50, seed=4)
    rows = [*table, *(Judgment("t", judge, "preference", answer="tie") for judge in TRUE)]
    sitting = decide(JudgmentTable.of(rows), Composition(reliability=True))
    last = sitting.outcome.verdicts[-1]
    assert (last.item, last.answer, last.weight) == ("t", "tie", 0.0)
    assert sitting.reliability is not None
    assert sitting.reliability.judges["keen"].ties == 1


def test_judges_near_chance_are_called_doubtful() -> None:
    table, _ = simulated(300, seed=5, judges=dict.fromkeys(("x", "y"), (0.9, 0.9)))
    ballots = gather(table, "preference")
    found = fit_reliability(ballots, ["x", "y"], ballots.items, rng=np.random.default_rng(0))
    assert found.doubtful  # two judges cannot tell who of them is right


def test_votes_that_are_all_ties_teach_nothing() -> None:
    table = JudgmentTable.of([Judgment("p", "x", "preference", answer="tie")])
    with pytest.raises(DataError, match="no vote is for A or B"):
        fit_reliability(gather(table, "preference"), ["x"], ["p"], rng=np.random.default_rng(0))
