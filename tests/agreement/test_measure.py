"""All findings on one question."""

from __future__ import annotations

import pytest
from tests.agreement.conftest import ratings
from tests.simulate.voted_pairs import order_votes

from assize.agreement import Agreement, AgreeOptions, CloserToGold, measure_agreement
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, Judgment
from assize.judgments import JudgmentTable
from assize.judgments.combine import Votes
from assize.stats import Interval
from assize.stats._statistics import StatisticsSettings


def test_the_signature_changes_with_whatever_changes_a_figure() -> None:
    table, _ = ratings(20)
    base = measure_agreement(table, ["q"], AgreeOptions())
    assert measure_agreement(table, ["q"], AgreeOptions()).lines == base.lines
    others = [
        measure_agreement(table, ["q"], options)
        for options in (
            AgreeOptions(gold="ann"),
            AgreeOptions(judges=["m1", "ann"]),
            AgreeOptions(statistics=StatisticsSettings(Interval(seed=1))),
            AgreeOptions(statistics=StatisticsSettings(Interval("percentile", resamples=50))),
        )
    ]
    assert len({one.signature for one in [base, *others]}) == 5


def test_an_unknown_judge_is_named() -> None:
    table, _ = ratings(5)
    for asked in (
        AgreeOptions(gold="zoe"),
        AgreeOptions(judges=["zoe"]),
        AgreeOptions(gold="ann", compare=CloserToGold(("m1", "zoe"))),
    ):
        with pytest.raises(ConfigError, match="no judge 'zoe' answered q; these did: m1"):
            measure_agreement(table, ["q"], asked)


VOTED = {  # j's votes in the orders AB and BA
    "p0": {"j": "AA"},  # A either way
    "p1": {"j": "AT"},  # a tie where both orders must agree, A by the mean of 1 and 0
    "p2": {"j": "AB"},  # a tie either way: the mean of 1 and -1
    "p3": {"j": "TB"},  # a tie, or B
    "p4": {"j": "A."},  # unscored without its other order, or A
    "p5": {"j": "TT"},  # a tie either way
}
TRUTH = {"p0": "A", "p1": "A", "p2": "A", "p3": "A", "p4": "A", "p5": "tie"}


def voted() -> JudgmentTable:
    rows = [Judgment(item, "gold", "preference", answer=gold) for item, gold in TRUTH.items()]
    rows += order_votes(VOTED, "preference", kind="model")
    return JudgmentTable.of(rows, [PREFERENCE])


def of_votes(votes: Votes) -> Agreement:
    return measure_agreement(voted(), ["preference"], AgreeOptions(votes=votes))


NAN = float("nan")
BY_VOTES: dict[Votes, list[float]] = {"agree": [1, 0, 0, 0, NAN, 0], "mean": [1, 1, 0, -1, 1, 0]}


@pytest.mark.parametrize(
    ("votes", "unscored", "split", "n", "agreement", "accuracy"),
    [
        # p4 is unscored; p1, p2 and p3 differ by order; right on p0 and p5 of five pairs; gold is
        # decided on p0 to p3, right on p0
        ("agree", 1, 3, 5, 2 / 5, 1 / 4),
        # p2 alone cancels out; right on p0, p1, p4, p5 of six; gold is decided on p0 to p4, right
        # on three
        ("mean", 0, 1, 6, 4 / 6, 3 / 5),
    ],
)
def test_all_rests_on_how_votes_become_one(
    votes: Votes, unscored: int, split: int, n: int, agreement: float, accuracy: float
) -> None:
    found = of_votes(votes)
    column = found.answers["preference"].by_judge["j"]
    assert column.values == pytest.approx(BY_VOTES[votes], nan_ok=True)
    (row,) = [one for one in found.judges if one.judge == "j"]
    assert (row.unscored, row.split_votes) == (unscored, split)
    (pair,) = found.pairs
    assert pair.n == n
    figures = pair.agreement, pair.accuracy_with_tie, pair.accuracy
    assert [None if one is None else one.estimate for one in figures] == pytest.approx(
        [agreement, agreement, accuracy]
    )


def test_votes_agree_by_default_and_the_signature_says_so() -> None:
    default = measure_agreement(voted(), ["preference"], AgreeOptions())
    agree, mean = of_votes("agree"), of_votes("mean")
    assert default.lines == agree.lines
    assert (agree.settings["votes"], mean.settings["votes"]) == ("agree", "mean")
    assert default.signature != mean.signature


@pytest.mark.parametrize("truth", ["gold", "adjudicated"])
def test_what_counts_as_true_is_held_to_and_votes_nowhere(truth: str) -> None:
    answers = {"ann": "ABBA", "bob": "ABAB", truth: "ABBB"}
    rows = [
        Judgment(f"p{place}", name, "preference", answer=answer, kind="person")
        for name, said in answers.items()
        for place, answer in enumerate(said)
    ]
    raters = [one for one in rows if one.judge != truth]
    tables = [JudgmentTable.of(some, [PREFERENCE]) for some in (rows, raters)]
    with_truth, without = (
        measure_agreement(table, ["preference"], AgreeOptions()) for table in tables
    )
    assert [row.judge for row in with_truth.judges if row.gold] == [truth]
    assert with_truth.overall == without.overall
    mine, theirs = (
        measure_agreement(table, ["preference"], AgreeOptions(gold="people")).answers["preference"]
        for table in tables
    )
    assert mine.by_judge["people"].values.tolist() == theirs.by_judge["people"].values.tolist()
