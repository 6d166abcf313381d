"""An escalating jury at each threshold of its first judge, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from assize.judgment import Judgment, Usage
from assize.judgments import JudgmentTable
from assize.juries import Outcome, cascade, gather, sit
from assize.juries.curve import Point, curve
from assize.juries.escalation import unsure

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


def drawn(rows: Sequence[Judgment], gold: dict[str, str] | None = GOLD) -> tuple[Point, ...]:
    ballots = gather(JudgmentTable.of(rows), "preference")

    def at(threshold: float | None) -> Outcome:
        judges = ("e", "m")
        decide = partial(cascade, unsure(ballots, "e", threshold), judges)
        return sit(ballots, judges, tuple(MARGINS), decide, gold=gold)

    return curve(ballots, "e", tuple(MARGINS), at)


def test_the_curve_goes_from_deciding_nothing_to_deciding_all() -> None:
    found = drawn([*first(), *second()])
    assert [one.threshold for one in found] == [None, 0.4, 0.3, 0.2, 0.1]
    assert [one.decided for one in found] == [0, 0.25, 0.5, 0.75, 1]


def test_accuracy_falls_where_the_first_judge_decides_what_it_has_wrong() -> None:
    # it has p3 wrong, which it decides from 0.2 on
    found = [one.accuracy for one in drawn([*first(), *second()])]
    assert [one.estimate for one in found if one is not None] == [1, 1, 1, 0.75, 0.75]


def test_every_item_that_the_first_judge_decides_saves_the_second_one_s_vote() -> None:
    assert [one.votes for one in drawn([*first(), *second()])] == [8, 7, 6, 5, 4]


def test_the_cost_is_that_of_the_votes_that_were_read() -> None:
    cheap, dear = Usage(1, 1, 0.25), Usage(1, 1, 1.0)
    found = drawn([*first(cheap), *second(usage=dear)])
    assert [one.cost_usd for one in found] == [5, 4, 3, 2, 1]
    assert {one.cost_usd for one in drawn([*first(), *second()])} == {None}


def test_without_gold_there_is_no_accuracy() -> None:
    found = drawn([*first(), *second()], gold=None)
    assert [one.accuracy for one in found] == [None] * 5


def test_a_threshold_that_needs_votes_which_nobody_gave_is_left_out() -> None:
    # the second judge was asked about p3 and p4 alone: enough where p1 and p2 are decided
    found = drawn([*first(), *second(("p3", "p4"))])
    assert [one.threshold for one in found] == [0.3, 0.2, 0.1]


def test_items_that_the_first_judge_cannot_decide_make_no_threshold() -> None:
    tie = Judgment("p1", "e", "preference", answer="tie", details={"margin": 0.0})
    found = drawn([tie, *first()[1:], *second()])
    assert [one.threshold for one in found] == [None, 0.3, 0.2, 0.1]
    assert found[-1].decided == 0.75
