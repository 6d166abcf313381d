"""What an escalating jury gains and costs at each threshold of its first judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assize.juries.ballots import Ballots
from assize.juries.escalation import STEP, confidence_of
from assize.juries.outcome import Outcome
from assize.stats import Estimate

_ABSENT = 0.05


@dataclass(frozen=True, slots=True)
class Point:
    """The jury at one threshold."""

    threshold: float | None  # None where the first judge decides nothing
    decided: float  # share of the items that the first judge decides
    # share of the items with gold A or B that the jury wins; None without gold
    accuracy: Estimate | None
    votes: int  # read, over all items
    cost_usd: float | None  # None where it is not known


def curve(
    ballots: Ballots,
    judge: str,
    items: Sequence[str],
    at: Callable[[float | None], Outcome],
) -> tuple[Point, ...]:
    """Points from the first judge deciding nothing to it deciding all it can, by 5% of the items.

    Thresholds at which votes would be needed that nobody was asked for are left out.
    """
    given = np.array([confidence_of(ballots.of(judge, item)) for item in items])
    sure = np.sort(given[~np.isnan(given)])[::-1]
    deciding, step = len(sure), max(1, round(STEP * len(given)))
    places = sorted({*range(step, deciding, step), deciding} - {0})
    thresholds: list[float | None] = [None, *(float(sure[place - 1]) for place in places)]
    found = [(threshold, at(threshold)) for threshold in thresholds]
    return tuple(_point(threshold, judge, one) for threshold, one in found if _complete(one))


def _complete(found: Outcome) -> bool:
    """Whether nearly all ballots that are read hold votes."""
    absent = sum(any(not ballot.votes for ballot in verdict.ballots) for verdict in found.verdicts)
    return absent <= _ABSENT * len(found.verdicts)


def _point(threshold: float | None, judge: str, found: Outcome) -> Point:
    decided = sum(verdict.by == judge for verdict in found.verdicts)
    used = found.saving.used
    return Point(
        threshold,
        decided / len(found.verdicts) if found.verdicts else 0.0,
        None if found.jury is None else found.jury.share("win"),
        used.votes,
        used.cost_usd if used.priced else None,
    )
