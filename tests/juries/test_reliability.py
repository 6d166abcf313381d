from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Reliability, collect_decisions, fit_reliability
from assize.juries.decide import decide
from assize.juries.reliability import LearntReliabilities, family, learn

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


def decided(table: JudgmentTable, **how: Any) -> Any:
    return decide(table, Reliability(**how))


def fitted(table: JudgmentTable, judges: Sequence[str] = tuple(TRUE)) -> Any:
    decisions = collect_decisions(table, "preference")
    rng = np.random.default_rng(0)
    return fit_reliability(decisions, list(judges), decisions.items, rng=rng)


def test_known_reliabilities_are_recovered_within_their_intervals() -> None:
    table, _ = simulated(3000, seed=1)
    found = fitted(table)
    for judge, (alpha, beta) in TRUE.items():
        one = found.judges[judge]
        assert one.alpha.estimate == pytest.approx(alpha, abs=0.04)
        assert one.beta.estimate == pytest.approx(beta, abs=0.04)
        assert one.alpha.interval[0] < one.alpha.estimate < one.alpha.interval[1]
        assert one.beta.interval[1] - one.beta.interval[0] < 0.2
    assert found.fit.share_a == pytest.approx(0.6, abs=0.05)
    assert not found.fit.doubts


def test_ties_carry_no_label_and_an_item_of_ties_is_a_tie() -> None:
    table, _ = simulated(50, seed=4)
    rows = [*table, *(Judgment("t", judge, "preference", answer="tie") for judge in TRUE)]
    sitting = decided(JudgmentTable.of(rows))
    verdicts = sitting.outcome.verdicts
    assert (sitting.outcome.items[-1], verdicts.answers[-1]) == ("t", "tie")
    assert verdicts.weights[-1] == 0
    assert sitting.reliability.judges["keen"].ties == 1


def test_votes_that_are_all_ties_teach_nothing() -> None:
    table = JudgmentTable.of([Judgment("p", "x", "preference", answer="tie")])
    with pytest.raises(DataError, match="no vote is for A or B"):
        fitted(table, ("x",))


def dimensions(items: int = 200, seed: int = 6) -> tuple[JudgmentTable, dict[str, dict[str, str]]]:
    """The judges on three questions, as the judge `dimensions` asks them; and the truth."""
    rows: list[Judgment] = []
    truth = {}
    for at, question in enumerate(("Accuracy", "Safety", "Overall")):
        table, gold = simulated(items, seed + at)
        rows += [replace(row, question=question) for row in table]
        truth[question] = gold
    return JudgmentTable.of(rows), truth


def test_each_question_gives_each_pair_a_label_with_its_probability() -> None:
    table, truth = dimensions()
    result = decided(table)
    assert result.question == "Overall"
    assert set(result.questions) == {"Accuracy", "Safety", "Overall"}
    rows = list(result.judgments())
    assert len(rows) == 3 * 200
    assert {row.judge for row in rows} == {"jury:reliability of all"}
    for question, gold in truth.items():
        mine = [row for row in rows if row.question == question]
        assert np.mean([row.answer == gold[row.item] for row in mine]) > 0.8
        for row in mine:
            assert sum(row.distribution.values()) == pytest.approx(1)
            likely = max(row.distribution, key=row.distribution.__getitem__)
            assert likely == row.answer
    one = next(row for row in rows if row.question == "Safety")
    assert one.score == pytest.approx(one.distribution["A"] - one.distribution["B"])


def test_a_question_that_is_named_is_learnt_alone() -> None:
    table, _ = dimensions(60)
    assert decide(table, Reliability(), question="Safety").questions == ("Safety",)


def test_a_pair_without_a_side_on_a_question_is_unscored_there() -> None:
    table, _ = dimensions(60)
    rows = [row for row in table if (row.item, row.question) != ("p3", "Safety")]
    result = decided(JudgmentTable.of(rows))
    (lost,) = [one for one in result.judgments() if (one.item, one.question) == ("p3", "Safety")]
    assert lost.answer is None


FOOLED = {"w": (0.25, 0.25), "x": (0.3, 0.3), "y": (0.2, 0.3), "z": (0.9, 0.85), "v": (0.7, 0.7)}


def test_an_anchor_turns_a_fooled_panel_round() -> None:
    table, gold = simulated(400, seed=9, judges=FOOLED)
    labels = [Judgment(f"p{n}", "gold", "preference", answer=gold[f"p{n}"]) for n in range(12)]
    table = JudgmentTable.of([*table, *labels])
    for anchor, right_from, right_to in (((), 0, 0.2), (("z",), 0.8, 1), (("gold",), 0.8, 1)):
        found = decided(table, anchor=anchor)
        said = zip(found.outcome.items[12:], found.outcome.verdicts.answers[12:], strict=True)
        assert right_from < np.mean([answer == gold[item] for item, answer in said]) < right_to
        assert bool(found.reliability.fit.doubts) == (anchor == ())


@pytest.mark.parametrize(
    ("anchor", "error", "message"),
    [
        ("gold", DataError, "anchor names 'gold', and no pair has a label"),
        ("nobody", ConfigError, "no judge 'nobody'"),
    ],
)
def test_an_anchor_that_cannot_be_says_so(
    anchor: str, error: type[Exception], message: str
) -> None:
    table, _ = simulated(40, seed=10)
    with pytest.raises(error, match=message):
        decided(table, anchor=(anchor,))


def test_tied_judges_are_as_often_right_on_either_side() -> None:
    table, _ = simulated(200, seed=11)
    found = decided(table, tied=True).reliability
    assert all(one.alpha.estimate == one.beta.estimate for one in found.judges.values())


def test_contradictory_duplicates_put_a_judge_at_chance() -> None:
    table, _ = simulated(200, seed=13)
    other = {"A": "B", "B": "A"}
    twice = [replace(row, answer=other[row.answer or ""]) for row in table if row.judge == "keen"]
    found = decided(JudgmentTable.of([*table, *twice]), tied=True)
    assert found.reliability.judges["keen"].alpha.estimate == pytest.approx(0.5, abs=0.02)
    assert found.reliability.judges["keen"].n == 400


def test_a_single_vote_is_a_doubtful_label() -> None:
    table = JudgmentTable.of([Judgment("p", "x", "preference", answer="A")])
    found = decided(table)
    assert "1 judge has voted for a side" in found.reliability.fit.doubts[0]


def test_variants_of_one_model_are_one_family() -> None:
    assert {family(one) for one in ("da@m", "maxim@m")} == {"m"}
    table, _ = simulated(100, seed=14)
    names = dict(zip(TRUE, ("da@m", "maxim@m", "io@m", "explained@m"), strict=True))
    rows = [replace(row, judge=names[row.judge]) for row in table]
    found = decided(JudgmentTable.of(rows))
    assert "variants of 1 model" in found.reliability.fit.doubts[0]


JUDGES = {"a@m": 0.9, "b@n": 0.8, "c@o": 0.7}


def several(items: int = 120, seed: int = 0) -> JudgmentTable:
    """Three judges on two questions; on Safety the third has only ties."""
    rng = np.random.default_rng(seed)
    rows = []
    for question in ("Overall", "Safety"):
        truth = rng.random(items) < 0.5
        for judge, skill in JUDGES.items():
            right = rng.random(items) < skill
            for n in range(items):
                answer = "A" if right[n] == truth[n] else "B"
                tie = question == "Safety" and judge == "c@o"
                rows.append(Judgment(f"p{n}", judge, question, answer="tie" if tie else answer))
    return JudgmentTable.of(rows)


@pytest.fixture(scope="module")
def learnt() -> LearntReliabilities:
    table = several()
    return learn(
        table, ("Overall", "Safety"), tuple(JUDGES), table.items, rng=np.random.default_rng(0)
    )


def test_json_is_strict_and_says_the_doubts(learnt: LearntReliabilities) -> None:
    overall, safety = json.loads(json.dumps(learnt.to_json(), allow_nan=False))["fits"]
    assert overall["doubts"] == []
    assert "2 judges have voted for a side" in safety["doubts"][0]
    assert 0.5 < overall["mean"]["estimate"] < 1
    assert list(learnt.notes) == [f"doubtful: {safety['doubts'][0]}"]
    assert learnt.sentence == "Votes of 3 judges on 120 pairs tell how reliable each judge is."
    assert learnt.tables["reliabilities"].grouped
    assert [row[0] for row in learnt.tables["fits"].rows] == ["Overall", "Safety"]


def test_a_jury_shows_them_beside_its_own() -> None:
    result = decided(several())
    assert result.question == "Overall"
    assert {"reliabilities", "fits"} < set(result.tables)
    assert [row["question"] for row in result.to_json()["fits"]] == ["Overall", "Safety"]
