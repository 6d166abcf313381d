"""Whether a rater has changed: when, by how much, and how each period looks.

Two series a rater, an item at a time in the order of submission: how far above the others of
the same item (`offset`, as a share of the spread of the question's answers), and how far the
rater agrees with them (`agreement`, the part in alpha). On gold items a third, `gold`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from assize import stats
from assize.stats import ChangePoint, Estimate
from assize.stats.arrays import FloatArray
from assize.webapp.monitor.agreement import Parts
from assize.webapp.monitor.collected import Answered
from assize.webapp.monitor.gold import GoldAnswer
from assize.webapp.monitor.offsets import from_others, has_direction

LEAST = 20  # items on each side of a change
MOST_PERIODS = 16


@dataclass(frozen=True, slots=True)
class Series:
    """One figure of one rater, an item at a time.

    Args:
        at, values: (items,) in the order of time; seconds since 1970.
    """

    rater: str
    name: str
    at: FloatArray
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Drift:
    """What a series did.

    Args:
        changes: none where the chance of a change is not beyond doubt, all series of all raters
            looked at together.
        reason: why no change could be looked for; None where it was.
    """

    series: Series
    changes: Sequence[ChangePoint]
    reason: str | None = None


def series_of(
    asked: Sequence[tuple[Answered, Parts]], gold: Sequence[GoldAnswer] = ()
) -> list[Series]:
    """The series of every rater, over all questions; those without a value are left out."""
    offset = [(one, _scaled(one)) for one, _ in asked if has_direction(one)]
    found = [*_by_rater("offset", offset)]
    found += _by_rater("agreement", [(one, part.own) for one, part in asked])
    marks: dict[str, list[tuple[float, float]]] = {}
    for answer in gold:
        if answer.at is not None:
            marks.setdefault(answer.rater, []).append((answer.at, float(answer.right)))
    for rater, pairs in marks.items():
        at, right = np.array(sorted(pairs)).T
        found.append(_averaged(rater, "gold", at, right))
    return found


def _scaled(found: Answered) -> FloatArray:
    """(A,) offsets from the others, as shares of the answers' standard deviation."""
    spread = float(np.std(found.value)) if len(found) else 0.0
    return from_others(found) / spread if spread > 0 else np.full(len(found), np.nan)


def _by_rater(name: str, given: Sequence[tuple[Answered, FloatArray]]) -> list[Series]:
    at: dict[str, list[FloatArray]] = {}
    values: dict[str, list[FloatArray]] = {}
    for one, column in given:
        known = ~np.isnan(column) & ~np.isnan(one.at)
        for place, rater in enumerate(one.raters):
            mine = known & (one.rater == place)
            at.setdefault(rater, []).append(one.at[mine])
            values.setdefault(rater, []).append(column[mine])
    found = [
        _averaged(rater, name, np.concatenate(times), np.concatenate(values[rater]))
        for rater, times in at.items()
    ]
    return [one for one in found if len(one.values)]


def _averaged(rater: str, name: str, at: FloatArray, values: FloatArray) -> Series:
    """One value a submitted form: the mean over its questions and turns."""
    times, place = np.unique(at, return_inverse=True)
    return Series(rater, name, times, np.bincount(place, values) / np.bincount(place))


def drifts(series: Sequence[Series], *, seed: int = 0) -> list[Drift]:
    """When each series changed, if it did.

    The chance of any false change in any of the series is at most 5%: each is tested at 5% over
    their number (Bonferroni). Source: `stats.change_points`.
    """
    level = 0.05 / max(1, len(series))
    draws = max(9_999, int(np.ceil(2 / level)))
    found = []
    for one in series:
        if len(one.values) < 2 * LEAST:
            few = f"needs {2 * LEAST} items; there are {len(one.values)}"
            found.append(Drift(one, (), few))
            continue
        changed = stats.change_points(
            one.values, one.at, level=level, correction="none", permutations=draws, least=LEAST,
            rng=np.random.default_rng(seed),
        )[0]  # fmt: skip
        found.append(Drift(one, changed.changes, changed.test.reason))
    return found


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time: when it starts, and the mean of each series in it."""

    start: float
    label: str
    means: Mapping[str, Estimate]


def periods(series: Sequence[Series]) -> list[Period]:
    """One rater's series in hours, days, weeks or months (UTC), as many as there is room for."""
    times = np.concatenate([one.at for one in series]) if series else np.zeros(0)
    if not len(times):
        return []
    starts, names = _starts(float(times.min()), float(times.max()))
    found = []
    for place, (start, label) in enumerate(zip(starts, names, strict=True)):
        stop = starts[place + 1] if place + 1 < len(starts) else float("inf")
        means = {}
        for one in series:
            inside = (one.at >= start) & (one.at < stop)
            if inside.any():
                means[one.name] = stats.mean(one.values[inside])
        if means:
            found.append(Period(start, label, means))
    return found


def _starts(first: float, last: float) -> tuple[list[float], list[str]]:
    """Where the shortest kind of period begins of which there are not too many."""
    begin = datetime.fromtimestamp(first, UTC)
    day = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    ladder: list[tuple[datetime, timedelta, str]] = [
        (begin.replace(minute=0, second=0, microsecond=0), timedelta(hours=1), "%d %b %H:00"),
        (day, timedelta(days=1), "%d %b"),
        (day - timedelta(days=day.weekday()), timedelta(weeks=1), "week of %d %b"),
        (day - timedelta(days=day.weekday()), timedelta(weeks=4), "4 weeks of %d %b %Y"),
        (day - timedelta(days=day.weekday()), timedelta(weeks=52), "year from %d %b %Y"),
    ]
    start, step, shape = next(
        (one for one in ladder if _many(one, last) <= MOST_PERIODS), ladder[-1]
    )
    dates = [start + place * step for place in range(_many((start, step, shape), last))]
    return [one.timestamp() for one in dates], [one.strftime(shape) for one in dates]


def _many(ladder: tuple[datetime, timedelta, str], last: float) -> int:
    start, step, _ = ladder
    return int((last - start.timestamp()) // step.total_seconds()) + 1
