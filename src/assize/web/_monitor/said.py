"""What the monitor says in words: dates, how items were chosen, and what stands out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from assize.web._monitor.figures import Figures

_CHOSEN: Mapping[str, str] = {
    "random": "at random",
    "file": "in the order of the file",
    "gold": "gold item",
    "qualify": "qualification",
    "assigned": "assigned by an admin",
    "collected": "rates an own conversation",
    "written": "wrote it",
}


def how_chosen(name: str) -> str:
    """How an item came to somebody, in words."""
    return _CHOSEN.get(name, name)


def when(at: float | None) -> str | None:
    """A time in seconds since 1970 as date and minute, UTC; None where there is none.

    >>> when(0.0)
    '1970-01-01 00:00'
    """
    return None if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a lead should look at.

    Args:
        rater: whom it is about; None where it is about the task.
        sure: whether chance is ruled out at 5%, all raters looked at together.
    """

    text: str
    rater: str | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Concern:
    """All that was found of one rater, or one thing about the task."""

    rater: str | None
    texts: Sequence[str]
    sure: bool


def concerns(found: Sequence[Finding]) -> list[Concern]:
    """Findings put together by rater, the sure ones apart from the others."""
    groups: dict[tuple[bool, str], list[Finding]] = {}
    for one in found:
        groups.setdefault((not one.sure, one.rater or one.text), []).append(one)
    return [
        Concern(each[0].rater, [one.text for one in each], each[0].sure)
        for _, each in sorted(groups.items(), key=lambda pair: pair[0][0])
    ]


def findings(found: Figures) -> list[Finding]:
    """What stands out, what is sure first."""
    said = [*_of_raters(found), *_of_gold(found), *_of_checks(found)]
    return sorted(said, key=lambda one: not one.sure)


def _of_raters(found: Figures) -> Sequence[Finding]:
    said = [
        Finding(
            f"agrees with the others {one.less.estimate:.2f} less than they among themselves"
            f" ({one.items:,} items)",
            one.rater,
        )
        for one in found.raters.values()
        if one.stands_out
    ]
    for one in found.speeds:
        if one.stands_out:
            said.append(Finding(f"{one.verdict} ({one.ratio.estimate:.2f} times it)", one.rater))
    said += [
        Finding(
            f"{one.verdict} to {one.question} ({one.share.estimate:.0%} of {one.share.n:,})",
            one.rater,
        )
        for one in found.same
        if one.stands_out
    ]
    said += [
        Finding(
            f"{one.verdict} on {one.question}, by {abs(one.mean.estimate):.2f}"
            f" ({one.mean.n:,} items)",
            one.rater,
        )
        for one in found.offsets
        if one.stands_out
    ]
    return said


def _of_gold(found: Figures) -> Sequence[Finding]:
    return [
        Finding(
            f"is right on {one.right.estimate:.0%} of {one.right.n:,} gold answers: {one.verdict}",
            one.rater,
            one.sure,
        )
        for one in found.gold
        if one.below
    ]


def _of_checks(found: Figures) -> Sequence[Finding]:
    check = found.continuations
    if check is None:
        return []
    said = [Finding(one.sentence, sure=one.sure) for one in check.breaches]
    return [
        *said,
        *(
            Finding(f"No {one} are rated yet, so nothing can be held to them.", sure=False)
            for one in check.missing
        ),
    ]
