"""All findings on one question."""

from __future__ import annotations

import pytest

from assize.agreement import AgreeOptions, Settings, find
from assize.errors import ConfigError
from assize.judgment import PREFERENCE, Judgment, Order
from assize.judgments import JudgmentTable
from assize.judgments.combine import Votes
from assize.stats import Interval

from .conftest import ratings


def test_the_signature_changes_with_whatever_changes_a_figure() -> None:
    table, _ = ratings(20)
    base = find(table, "q", AgreeOptions(), {})
    assert find(table, "q", AgreeOptions(), {}).line == base.line
    others = [
        find(table, "q", AgreeOptions(gold="ann"), {}),
        find(table, "q", AgreeOptions(judges=["m1", "ann"]), {}),
        find(table, "q", AgreeOptions(), {}, Settings(seed=1)),
        find(table, "q", AgreeOptions(), {}, Settings(Interval("percentile", resamples=50))),
    ]
    assert len({one.signature for one in [base, *others]}) == 5


def test_an_unknown_judge_is_named() -> None:
    table, _ = ratings(5)
    for asked in (
        AgreeOptions(gold="zoe"),
        AgreeOptions(judges=["zoe"]),
        AgreeOptions(gold="ann", compare=("m1", "zoe")),
    ):
        with pytest.raises(ConfigError, match="no judge 'zoe' answered q; these did: m1"):
            find(table, "q", asked, {})


VOTED = {  # j's votes in the orders AB and BA; a blank is one that was not made
    "p0": "AA",  # A either way
    "p1": "At",  # a tie where both orders must agree, A by the mean of 1 and 0
    "p2": "AB",  # a tie either way: the mean of 1 and -1
    "p3": "tB",  # a tie, or B
    "p4": "A ",  # unscored without its other order, or A
    "p5": "tt",  # a tie either way
}
TRUTH = {"p0": "A", "p1": "A", "p2": "A", "p3": "A", "p4": "A", "p5": "tie"}


def voted() -> JudgmentTable:
    words: dict[str, str] = {"A": "A", "B": "B", "t": "tie"}
    orders: tuple[Order, Order] = ("AB", "BA")
    rows = [Judgment(item, "gold", "preference", answer=gold) for item, gold in TRUTH.items()]
    rows += [
        Judgment(item, "j", "preference", answer=words[letter], order=order, kind="model")
        for item, letters in VOTED.items()
        for order, letter in zip(orders, letters, strict=True)
        if letter != " "
    ]
    return JudgmentTable.of(rows, [PREFERENCE])


NAN = float("nan")
BY_VOTES: dict[Votes, list[float]] = {"agree": [1, 0, 0, 0, NAN, 0], "mean": [1, 1, 0, -1, 1, 0]}


@pytest.mark.parametrize("votes", BY_VOTES)
def test_votes_become_one_by_agreement_or_by_their_mean(votes: Votes) -> None:
    found = find(voted(), "preference", AgreeOptions(votes=votes), {})
    column = found.study.found.by_judge["j"]
    assert column.values == pytest.approx(BY_VOTES[votes], nan_ok=True)


@pytest.mark.parametrize(
    ("votes", "unscored", "split"),
    [
        ("agree", 1, 3),  # p4; p1, p2 and p3 differ by order
        ("mean", 0, 1),  # p2 alone cancels out
    ],
)
def test_a_missing_order_is_unscored_and_a_split_counted_as_the_votes_are_read(
    votes: Votes, unscored: int, split: int
) -> None:
    column = find(voted(), "preference", AgreeOptions(votes=votes), {}).study.found.by_judge["j"]
    assert (column.unscored, column.split) == (unscored, split)


@pytest.mark.parametrize(
    ("votes", "n", "agreement", "accuracy"),
    [
        # agree: right on p0 and p5 of five pairs; gold is decided on p0 to p3, right on p0
        ("agree", 5, 2 / 5, 1 / 4),
        # mean: right on p0, p1, p4, p5 of six; gold is decided on p0 to p4, right on three
        ("mean", 6, 4 / 6, 3 / 5),
    ],
)
def test_agreement_with_gold_rests_on_how_votes_become_one(
    votes: Votes, n: int, agreement: float, accuracy: float
) -> None:
    (pair,) = find(voted(), "preference", AgreeOptions(votes=votes), {}).study.pairs
    assert pair.n == n
    assert pair.figures["agreement"].estimate == pytest.approx(agreement)
    assert pair.figures["accuracy w/ tie"].estimate == pytest.approx(agreement)
    assert pair.figures["accuracy w/o tie"].estimate == pytest.approx(accuracy)


def test_votes_agree_by_default_and_the_signature_says_so() -> None:
    default, agree, mean = (
        find(voted(), "preference", asked, {})
        for asked in (AgreeOptions(), AgreeOptions(votes="agree"), AgreeOptions(votes="mean"))
    )
    assert default.line == agree.line
    assert "votes:agree" in default.line
    assert "votes:mean" in mean.line
    assert default.signature != mean.signature


@pytest.mark.parametrize("truth", ["gold", "adjudicated"])
def test_what_counts_as_true_is_held_to_and_votes_nowhere(truth: str) -> None:
    answers = {"ann": "ABBA", "bob": "ABAB", truth: "ABBB"}
    rows = [
        Judgment(f"p{place}", name, "preference", answer=answer, kind="person")
        for name, said in answers.items()
        for place, answer in enumerate(said)
    ]
    with_truth = find(JudgmentTable.of(rows, [PREFERENCE]), "preference", AgreeOptions(), {})
    raters = [one for one in rows if one.judge != truth]
    without = find(JudgmentTable.of(raters, [PREFERENCE]), "preference", AgreeOptions(), {})
    assert with_truth.study.gold == truth
    assert with_truth.study.overall == without.study.overall
    people = find(
        JudgmentTable.of(rows, [PREFERENCE]), "preference", AgreeOptions(gold="people"), {}
    )
    again = find(
        JudgmentTable.of(raters, [PREFERENCE]), "preference", AgreeOptions(gold="people"), {}
    )
    mine, theirs = (one.study.found.by_judge["people"].values for one in (people, again))
    assert mine.tolist() == theirs.tolist()
