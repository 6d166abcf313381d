from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from assize.errors import ConfigError, DataError
from assize.judgment import Judgment, Usage
from assize.judgments import JudgmentTable
from assize.juries import Ballot, Composition, Escalate, Outcome, cascade, decide, gather, sit
from assize.juries.escalation import (
    STARTS,
    Point,
    chains_of,
    choose,
    confidence_of,
    curve,
    split,
    unsure,
)
from assize.juries.tables import as_json, escalation_line


def drawn(rng: np.random.Generator, n: int, slope: float = 3.0) -> tuple[Any, Any]:
    """Confidences, and whether the judge is right: more often where it is surer."""
    sure = rng.exponential(size=n)
    right = rng.random(n) < 1 - 0.5 * np.exp(-slope * sure)
    return sure, right


def votes_of(sure: Any, right: Any) -> tuple[list[Judgment], dict[str, str]]:
    """An evaluator's and a model's rows, with the gold that makes the first right or wrong."""
    rows, gold = [], {}
    for number, (one, fits) in enumerate(zip(sure, right, strict=True)):
        item = f"p{number:05d}"
        gold[item] = "A" if fits else "B"
        rows += [
            Judgment(item, "e", "preference", answer="A", details={"margin": float(one)}),
            Judgment(item, "m", "preference", answer="A" if number % 10 else "tie"),
        ]
    return rows, gold


def test_the_p_value_is_the_exact_binomial_s_and_testing_stops_at_the_first_failure() -> None:
    sure = [5.0] * 30 + [3.0] * 30 + [1.0] * 40
    right = [True] * 30 + [True] * 27 + [False] * 3 + [False] * 40
    found = choose(sure, right, [[5.0, 3.0, 1.0, 0.5]], Escalate(0.9, delta=0.1))
    assert [(one.decided, one.agreed) for one in found.tested] == [(30, 30), (60, 57)]
    for one in found.tested:
        wrong = one.decided - one.agreed
        assert one.p_value == pytest.approx(binom.cdf(wrong, one.decided, 0.1))
    assert binom.cdf(0, 30, 0.1) <= 0.1 < binom.cdf(3, 60, 0.1)
    assert found.value == 5.0


def test_each_of_several_chains_is_tested_at_its_share_of_delta() -> None:
    sure, right = [5.0] * 30, [True] * 30
    wanted = Escalate(0.9, delta=0.1)
    assert choose(sure, right, [[5.0]], wanted).value == 5.0
    both = choose(sure, right, [[5.0], [4.0]], wanted)
    assert both.delta == 0.05
    assert pytest.approx(0.0424, abs=1e-4) == 0.9**30
    assert both.value == 4.0
    assert choose(sure, right, [[5.0]] * 3, wanted).value is None


def test_what_the_judge_does_not_decide_is_not_counted() -> None:
    found = choose([np.nan] * 50 + [2.0] * 40, [False] * 50 + [True] * 40, [[1.0]], Escalate(0.9))
    assert found.tested[0].decided == 40
    assert found.value == 1.0


def test_none_qualifies_where_the_judge_is_no_better_than_chance() -> None:
    rng = np.random.default_rng(0)
    sure, right = rng.random(400), rng.random(400) < 0.5
    found = choose(sure, right, chains_of(rng.random(400), 400, Escalate(0.8)), Escalate(0.8))
    assert found.value is None
    assert found.reason is not None
    assert "no threshold reaches 80% agreement" in found.reason


def test_chains_start_where_the_level_could_be_proven_and_end_where_all_is_decided() -> None:
    wanted = Escalate(0.9, delta=0.1)
    pool = np.random.default_rng(1).random(1000)
    chains = chains_of(pool, 500, wanted)
    fewest = wanted.fewest(0.1 / 3)
    assert fewest == 33  # 0.9 ** 33 = 0.031
    for start, chain in zip(STARTS, chains, strict=True):
        assert (np.diff(chain) < 0).all()
        assert (pool >= chain[0]).mean() == pytest.approx(start * fewest / 500, abs=0.002)
        assert chain[-1] == pool.min()
    assert chains_of(pool, 21, wanted) == []  # 0.9 ** 21 > 0.1
    assert [len(one) for one in chains_of(pool, 22, wanted)] == [1]
    assert chains_of([np.nan] * 5, 500, wanted) == []


@given(st.integers(0, 2**32 - 1))
def test_a_wanted_level_that_is_lower_never_decides_less(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sure, right = drawn(rng, 200)
    chain = [np.sort(rng.exponential(size=20))[::-1]]
    values = [choose(sure, right, chain, Escalate(level)).value for level in (0.9, 0.8, 0.7)]
    shown = [np.inf if value is None else value for value in values]
    assert shown == sorted(shown, reverse=True)


@pytest.mark.slow
def test_the_level_is_missed_in_no_more_than_delta_of_many_trials() -> None:
    rng = np.random.default_rng(7)
    level, delta, trials = 0.85, 0.2, 1500
    wanted = Escalate(level, delta)
    missed = chosen = 0
    for _ in range(trials):
        sure, right = drawn(rng, 300)
        pool, _ = drawn(rng, 300)
        found = choose(sure, right, chains_of(pool, 300, wanted), wanted)
        if found.value is None:
            continue
        chosen += 1
        # P(right | sure >= t) of an exponential: 1 - 0.5 * exp(-3 t) / 4
        missed += 1 - 0.5 * np.exp(-3.0 * found.value) / 4 < level
    assert chosen > trials / 2
    assert binom.cdf(missed - 1, trials, delta) < 0.999  # no evidence that it is missed more often


def ballot(*rows: Judgment) -> Ballot:
    """The only ballot."""
    return gather(JudgmentTable.of(rows), "preference").of("j", "p")


def test_confidence_is_the_margin_else_the_scores_else_the_distribution() -> None:
    def one(**given: Any) -> float:
        return confidence_of(ballot(Judgment("p", "j", "preference", **given)))

    assert one(answer="B", details={"margin": -0.3, "scores": {"A": 1, "B": 9}}) == 0.3
    assert one(answer="A", details={"scores": {"A": 2.5, "B": 1}}) == 1.5
    assert one(answer="A", distribution={"A": 0.7, "B": 0.2, "tie": 0.1}) == pytest.approx(0.5)
    assert np.isnan(one(answer="tie", details={"margin": 0.0}))
    with pytest.raises(ConfigError, match="does not say how sure"):
        one(answer="A")


def test_two_votes_are_as_sure_as_their_mean() -> None:
    rows = [
        Judgment("p", "j", "preference", repeat=n, distribution={"A": p, "B": 1 - p})
        for n, p in enumerate((0.9, 0.6))
    ]
    assert confidence_of(ballot(*rows)) == pytest.approx(0.5)


def test_an_unsure_judge_is_told_apart_from_an_unscored_one() -> None:
    rows = [Judgment("p", "e", "preference", answer="A", details={"margin": 0.2})]
    ballots = gather(JudgmentTable.of(rows), "preference")
    assert unsure(ballots, "e", 0.2).of("e", "p").answer == "A"
    found = unsure(ballots, "e", 0.3).of("e", "p")
    assert (found.answer, found.reason) == (None, "unsure")
    assert unsure(ballots, "e", None).of("e", "p").reason == "unsure"
    assert ballots.of("e", "p").answer == "A"


def test_the_split_is_by_id_and_seed_and_takes_only_labelled_items() -> None:
    items = [f"p{n}" for n in range(1000)]
    gold = dict.fromkeys(items[:800], "A")
    chosen, others = split(items, gold, 0.25, 0)
    assert set(chosen) <= set(gold)
    assert len(chosen) == pytest.approx(200, abs=40)
    assert sorted(chosen + others) == sorted(items)
    assert split(items[::-1], gold, 0.25, 0)[0] == chosen[::-1]
    assert split(items, gold, 0.25, 1)[0] != chosen


def test_a_jury_reports_on_pairs_that_the_threshold_has_not_seen() -> None:
    rng = np.random.default_rng(3)
    rows, gold = votes_of(*drawn(rng, 600))
    table = JudgmentTable.of(
        [*rows, *(Judgment(i, "gold", "preference", answer=a) for i, a in gold.items())]
    )
    sitting = decide(table, Composition(("e", "m"), escalate=Escalate(0.9)))
    found = sitting.escalation
    assert found is not None
    assert found.threshold.value is not None
    assert not set(found.labelled) & {one.item for one in sitting.outcome.verdicts}
    assert sitting.outcome.n + len(found.labelled) == 600
    (e, m) = sitting.outcome.judges.values()
    right = e.decided["win"] / sum(e.decided.values())
    assert right > 0.88
    assert m.read == sitting.outcome.n - sum(e.decided.values())
    said = as_json(sitting)["escalation"]
    assert said["threshold"] == found.threshold.value
    assert len(said["curve"]) > 15
    assert json.dumps(said)
    shares = [point.decided for point in found.curve]
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    votes = [point.votes for point in found.curve]
    assert votes == sorted(votes, reverse=True)
    assert len(sitting.tables["escalation"].rows) == len(found.curve)
    assert "proves 90% with probability 90%" in escalation_line(found, Escalate(0.9))


def test_none_qualifying_is_said_and_the_first_judge_decides_nothing() -> None:
    rng = np.random.default_rng(4)
    rows, gold = votes_of(rng.random(200), rng.random(200) < 0.5)
    table = JudgmentTable.of(
        [*rows, *(Judgment(i, "gold", "preference", answer=a) for i, a in gold.items())]
    )
    sitting = decide(table, Composition(("e", "m"), escalate=Escalate(0.95)))
    assert sitting.escalation is not None
    assert "decides nothing: no threshold" in escalation_line(sitting.escalation, Escalate(0.95))
    assert all(path.startswith("unsure") for path in sitting.outcome.paths)
    few = JudgmentTable.of([row for row in table if row.item < "p00020"])
    told = decide(few, Composition(("e", "m"), escalate=Escalate(0.95))).escalation
    assert told is not None
    assert "at least 45 labelled pairs are needed" in str(told.threshold.reason)


def test_labels_are_needed_and_shares_must_be_shares() -> None:
    rows, _ = votes_of([1.0], [True])
    with pytest.raises(DataError, match="needs labelled pairs"):
        decide(JudgmentTable.of(rows), Composition(("e", "m"), escalate=Escalate(0.9)))
    for wrong in ({"level": 1.0}, {"level": 0.9, "delta": 0.0}, {"level": 0.9, "share": 1.5}):
        with pytest.raises(ConfigError, match="give a share of 1"):
            Escalate(**wrong)
    with pytest.raises(ConfigError, match="is a cascade"):
        Composition(panel={"e": 1.0}, escalate=Escalate(0.9))


def test_the_page_shows_the_curve(tmp_path: Path) -> None:
    from assize.pages.jury import write_jury

    rng = np.random.default_rng(5)
    rows, gold = votes_of(*drawn(rng, 300))
    golden = [Judgment(i, "gold", "preference", answer=a) for i, a in gold.items()]
    table = JudgmentTable.of([*rows, *golden])
    sitting = decide(table, Composition(("e", "m"), escalate=Escalate(0.8)))
    size = write_jury(tmp_path / "jury.html", sitting, reproduce=["assize jury ..."])
    text = (tmp_path / "jury.html").read_text()
    assert size == len(text.encode())
    assert "Accuracy against cost" in text
    assert "Where each decision fell" in text
    assert "<script" not in text


MARGINS = {"p1": 0.4, "p2": 0.3, "p3": 0.2, "p4": 0.1}
GOLD = {"p1": "A", "p2": "A", "p3": "B", "p4": "A"}


def first(usage: Usage | None = None) -> list[Judgment]:
    """A judge who says A everywhere, less and less sure of it."""
    return [
        Judgment(item, "e", "preference", answer="A", details={"margin": margin}, usage=usage)
        for item, margin in MARGINS.items()
    ]


def second(items: Sequence[str] = tuple(GOLD), usage: Usage | None = None) -> list[Judgment]:
    """A judge who is always right."""
    return [Judgment(item, "m", "preference", answer=GOLD[item], usage=usage) for item in items]


def points_of(rows: Sequence[Judgment], gold: dict[str, str] | None = GOLD) -> tuple[Point, ...]:
    ballots = gather(JudgmentTable.of(rows), "preference")

    def at(threshold: float | None) -> Outcome:
        judges = ("e", "m")
        decide = partial(cascade, unsure(ballots, "e", threshold), judges)
        return sit(ballots, judges, tuple(MARGINS), decide, gold=gold)

    return curve(ballots, "e", tuple(MARGINS), at)


def test_the_curve_goes_from_deciding_nothing_to_deciding_all() -> None:
    found = points_of([*first(), *second()])
    assert [one.threshold for one in found] == [None, 0.4, 0.3, 0.2, 0.1]
    assert [one.decided for one in found] == [0, 0.25, 0.5, 0.75, 1]


def test_accuracy_falls_where_the_first_judge_decides_what_it_has_wrong() -> None:
    # it has p3 wrong, which it decides from 0.2 on
    found = [one.accuracy for one in points_of([*first(), *second()])]
    assert [one.estimate for one in found if one is not None] == [1, 1, 1, 0.75, 0.75]


def test_every_item_that_the_first_judge_decides_saves_the_second_one_s_vote() -> None:
    assert [one.votes for one in points_of([*first(), *second()])] == [8, 7, 6, 5, 4]


def test_the_cost_is_that_of_the_votes_that_were_read() -> None:
    cheap, dear = Usage(1, 1, 0.25), Usage(1, 1, 1.0)
    found = points_of([*first(cheap), *second(usage=dear)])
    assert [one.cost_usd for one in found] == [5, 4, 3, 2, 1]
    assert {one.cost_usd for one in points_of([*first(), *second()])} == {None}


def test_without_gold_there_is_no_accuracy() -> None:
    found = points_of([*first(), *second()], gold=None)
    assert [one.accuracy for one in found] == [None] * 5


def test_a_threshold_that_needs_votes_which_nobody_gave_is_left_out() -> None:
    # the second judge was asked about p3 and p4 alone: enough where p1 and p2 are decided
    found = points_of([*first(), *second(("p3", "p4"))])
    assert [one.threshold for one in found] == [0.3, 0.2, 0.1]


def test_items_that_the_first_judge_cannot_decide_make_no_threshold() -> None:
    tie = Judgment("p1", "e", "preference", answer="tie", details={"margin": 0.0})
    found = points_of([tie, *first()[1:], *second()])
    assert [one.threshold for one in found] == [None, 0.3, 0.2, 0.1]
    assert found[-1].decided == 0.75
