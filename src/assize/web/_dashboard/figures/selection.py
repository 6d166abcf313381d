"""A region of a curve, and exactly the conversations whose numbers lie in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.web._dashboard.figures.charts import Look, Numbers, numbers_of
from assize.web._dashboard.figures.panels import aggregated, panel_of
from assize.web._dashboard.prepared.view import FloatArray, View

PAGE = 25
MOST = 200  # rows in a page


@dataclass(frozen=True, slots=True)
class Region:
    """From `low` to `high`; numbers equal to either are in it."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ConfigError(f"a region from {self.low:g} to {self.high:g} holds nothing")


@dataclass(frozen=True, slots=True)
class Found:
    """One conversation, or one conversation and rater, of a region; `place` is in the view.

    Args:
        ranked: the number that the list is ordered by; NaN for none.
    """

    place: int
    item: str
    rater: str | None
    value: float
    ranked: float


@dataclass(frozen=True, slots=True)
class Selection:
    """What lies in a region, a page of it.

    Args:
        curve, curves: which curve's; "" for all of them, whose names are `curves`.
        total: how many there are in all pages.
        conversations: how many conversations these are of.
        of: numbers of the curve.
        by: the question whose numbers order the list; "" where none does.
        rows: of this page, worst first.
        start: how many stand on pages before.
    """

    region: Region
    curve: str
    curves: tuple[str, ...]
    total: int
    conversations: int
    of: int
    by: str
    rows: tuple[Found, ...]
    start: int


def select(
    view: View,
    look: Look,
    region: Region,
    *,
    curve: str = "",
    start: int = 0,
    count: int = PAGE,
    main: str = "",
    worst_high: bool | None = None,
) -> Selection:
    """A page of what lies in a region, worst first; equal numbers stand in the order of the view.

    Answers to a nominal question have no worst: their conversations are ordered by the panel's
    means of the question `main`, or the usual panel's, those without one last.

    Args:
        curve: of which curve; "" for all.
        start: rows on pages before.
        count: rows of this page, at most 200.
        main: a question with numbers; "" leaves the order of the view.
        worst_high: whether a high number is worse; None asks the question.

    Raises:
        ConfigError: there is no such curve or question.
    """
    if not 1 <= count <= MOST or start < 0:
        raise ConfigError(f"a page has 1 to {MOST} rows, from 0 on")
    numbers = numbers_of(view, look)
    if curve and curve not in numbers.names:
        raise ConfigError(f"no curve {curve!r}; there are {', '.join(numbers.names)}")
    inside = (numbers.value >= region.low) & (numbers.value <= region.high)
    of = len(numbers.value)
    if curve and len(numbers.names) > 1:
        mine = numbers.code[numbers.unit] == numbers.names.index(curve)
        inside &= mine
        of = int(mine.sum())
    kept = np.flatnonzero(inside)
    nominal = view.question(look.question).kind == "nominal"
    by = main if nominal else look.question
    ranked = _ranks(view, look, by, numbers)[kept] if nominal else numbers.value[kept]
    if worst_high is None:
        worst_high = bool(by) and view.question(by).higher == "worse"
    order = np.where(np.isnan(ranked), np.inf, -ranked if worst_high else ranked)
    page = _page(order, start, count)
    return Selection(
        region,
        curve,
        numbers.names,
        len(kept),
        _conversations(numbers, kept),
        of,
        by,
        tuple(_found(view, numbers, int(kept[one]), float(ranked[one])) for one in page),
        start,
    )


def _ranks(view: View, look: Look, by: str, numbers: Numbers) -> FloatArray:
    """(N,) the panel's mean on another question of each number's conversation; NaN for none.

    Where the panel did not answer it, the usual one's.
    """
    if not by:
        return np.full(len(numbers.unit), np.nan)
    cells, panel = view.cells(by), panel_of(view, look.panel)
    if not cells.scored[list(panel)].any():
        panel = panel_of(view, "")
    return np.asarray(aggregated(cells, panel, view.size)[numbers.unit])


def _conversations(numbers: Numbers, kept: NDArray[np.intp]) -> int:
    if numbers.rater is None:
        return len(kept)
    there = np.zeros(len(numbers.code), dtype=bool)
    there[numbers.unit[kept]] = True
    return int(there.sum())


def _found(view: View, numbers: Numbers, row: int, ranked: float) -> Found:
    rater = None if numbers.rater is None else view.raters[int(numbers.rater[row])].name
    place = int(numbers.unit[row])
    return Found(place, view.ids[place], rater, float(numbers.value[row]), ranked)


def _page(value: FloatArray, start: int, count: int) -> NDArray[np.intp]:
    """Places of the numbers of rank `start` and on, by rising value and then by place.

    Only what can stand on the page is sorted.
    """
    stop = min(start + count, len(value))
    if start >= stop:
        return np.empty(0, dtype=np.intp)
    parted = np.partition(value, (start, stop - 1))
    low, high = parted[start], parted[stop - 1]
    near = np.flatnonzero((value >= low) & (value <= high))
    near = near[np.argsort(value[near], kind="stable")]
    before = int(np.count_nonzero(value < low))
    return near[start - before : stop - before]
