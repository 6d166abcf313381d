"""What a dashboard shows of one question: a curve for each group of conversations."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.web._dashboard.figures.densities import Grid, Shape, counted, grid_of, shape_of
from assize.web._dashboard.figures.panels import aggregated, apart, most_given, panel_of
from assize.web._dashboard.prepared.view import Fields, FloatArray, View

ALL = "all conversations"
MOST = 6  # curves in one chart
STRIPS = 20  # of a density, at most
METHOD = 2  # rises when numbers can change


@dataclass(frozen=True, slots=True)
class Look:
    """What is looked at.

    Args:
        question: its id.
        by: field whose values are curves; "" for one curve.
        panel: whose answers; "" for the usual panel.
        disaggregated: a number a conversation and rater, not the mean over raters.
        kind: `density`, `bars`, or "" for what fits.
        where: only conversations with one value of a field, `field:value`; "" for all.
    """

    question: str
    by: str = ""
    panel: str = ""
    disaggregated: bool = False
    kind: str = ""
    where: str = ""

    @property
    def said(self) -> dict[str, Any]:
        """What can change figures, by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One group's numbers.

    Args:
        height: (P,) density, or share in each bar.
        n: numbers that are counted.
        conversations: how many these are of.
        unscored: conversations of the group without a number.
        mean: of the numbers; NaN without any.
    """

    name: str
    height: FloatArray
    n: int
    conversations: int
    unscored: int
    mean: float


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of a chart that leads to the list of what lies in it, both ends included.

    Args:
        curve: whose bar it is; "" for all curves.
        count: numbers in it, at least 1.
    """

    low: float
    high: float
    curve: str
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """One question's curves.

    Args:
        strips: every number drawn is in exactly one.
        left_out: groups that are not drawn, as there are more than six; the smallest ones.
        skipped, unscored: answers that are not applicable, and that could not be made.
    """

    look: Look
    grid: Grid
    shape: Shape
    curves: tuple[Curve, ...]
    strips: tuple[Strip, ...]
    left_out: tuple[str, ...]
    skipped: int
    unscored: int


def rounded(values: FloatArray) -> list[float | None]:
    """To 6 digits: what a screen can show; None for NaN."""
    return [None if one != one else float(f"{one:.6g}") for one in values.tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """The numbers that a look is about, N of them.

    Args:
        value: (N,) no gaps; of a nominal question places among its answers, and one place more
            for conversations whose raters are split.
        unit: (N,) the conversation of each.
        rater: (N,) the rater of each; None where raters are put together.
        code: (U,) the curve of each conversation, -1 for none.
        names: of the curves.
        size: (S,) conversations of each curve.
    """

    value: FloatArray
    unit: NDArray[np.integer]
    rater: NDArray[np.integer] | None
    code: NDArray[np.integer]
    names: tuple[str, ...]
    left_out: tuple[str, ...]
    size: NDArray[np.integer]


def numbers_of(view: View, look: Look) -> Numbers:
    """The numbers of a look.

    Raises:
        ConfigError: there is no such question, field or panel.
    """
    code, names, left_out = groups_of(view.fields, look.by, view.size, look.where)
    cells, panel = view.cells(look.question), panel_of(view, look.panel)
    rater: NDArray[np.integer] | None = None
    if look.disaggregated:
        value, unit, rater = apart(cells, panel)
    else:
        asked = view.question(look.question)
        value = (
            most_given(cells, panel, view.size, len(asked.answers))
            if asked.kind == "nominal"
            else aggregated(cells, panel, view.size)
        )
        unit = np.flatnonzero(~np.isnan(value))
        value = value[unit]
    if (code < 0).any():
        inside = code[unit] >= 0
        value, unit = value[inside], unit[inside]
        rater = None if rater is None else rater[inside]
    size = np.bincount(code[code >= 0], minlength=len(names))
    return Numbers(value, unit, rater, code, names, left_out, size)


def groups_of(
    fields: Fields, by: str, size: int, where: str = ""
) -> tuple[NDArray[np.integer], tuple[str, ...], tuple[str, ...]]:
    """The curve of each conversation, -1 for none, the names of the curves, and what has none: the
    values with fewest conversations, where there are more than six."""
    inside = fields.having(where) if where else np.ones(size, dtype=bool)
    if not by:
        return np.where(inside, 0, -1), (ALL,), ()
    place = fields.place(by)
    words, codes = list(fields.words[place]), fields.codes[place]
    count = np.bincount(codes[inside], minlength=len(words))
    largest = np.argsort(-count, kind="stable")[:MOST].tolist()
    kept = sorted(at for at in largest if count[at])
    rank = np.full(len(words), -1)
    rank[kept] = np.arange(len(kept))
    names = tuple(words[at] for at in kept)
    left_out = tuple(words[at] for at in np.flatnonzero(count) if at not in kept)
    return np.where(inside, rank[codes], -1), names, left_out


def chart_of(view: View, look: Look) -> Chart:
    """One question's curves, without bands.

    Raises:
        ConfigError: as `numbers_of`, or the question is nominal (`shares_of`).
    """
    if look.kind not in ("", "density", "bars"):
        raise ConfigError(f"kind {look.kind!r}: it is density or bars")
    question = view.question(look.question)
    if question.kind == "nominal":
        raise ConfigError(f"the answers to {question.id} have no order, and so no density")
    found = numbers_of(view, look)
    grid = grid_of(question, found.value)
    shape = shape_of(grid, found.value, look.kind or None, _answers_apart(view, look))
    group = found.code[found.unit]
    counts = _counts(grid, shape, found, group)
    cells, panel = view.cells(look.question), list(panel_of(view, look.panel))
    curves = []
    for at, name in enumerate(found.names):
        mine = group == at if len(found.names) > 1 else slice(None)
        value, unit = found.value[mine], found.unit[mine]
        here = len(unit) if found.rater is None else int(np.count_nonzero(np.bincount(unit)))
        curves.append(
            Curve(
                name,
                counts[at],
                len(value),
                here,
                int(found.size[at]) - here,
                float(value.mean()) if len(value) else np.nan,
            )
        )
    return Chart(
        look,
        grid,
        shape,
        tuple(curves),
        _strips(grid, shape, found, group),
        found.left_out,
        int(cells.skipped[panel].sum()),
        int(cells.unscored[panel].sum()),
    )


def _answers_apart(view: View, look: Look) -> float:
    """How far means of drawn answers are from each other; 0 where none are drawn."""
    cells, panel = view.cells(look.question), list(panel_of(view, look.panel))
    if look.disaggregated or not cells.drawn[panel].any():
        return 0.0
    return float(np.diff(cells.levels).min() / len(panel))


def _counts(grid: Grid, shape: Shape, found: Numbers, group: NDArray[np.integer]) -> FloatArray:
    """(S, P) heights; of bars each number is in exactly the bar whose ends hold it."""
    groups = len(found.names)
    if shape.ends is None:
        return shape.of(counted(grid, found.value, group, groups))
    bar = np.searchsorted(shape.ends[1:, 0], found.value, side="right")
    width = len(shape.at)
    count = np.bincount(group * width + bar, minlength=groups * width).reshape(groups, width)
    with np.errstate(invalid="ignore"):
        return np.asarray(count / count.sum(axis=1, keepdims=True))


def _strips(
    grid: Grid, shape: Shape, found: Numbers, group: NDArray[np.integer]
) -> tuple[Strip, ...]:
    """The bars of each curve; of a density strips that hold the numbers of all curves."""
    if shape.ends is None:
        parts = {"": found.value}
        edges = strip_edges(grid, found.value)
        ends = np.stack([edges[:-1], np.r_[np.nextafter(edges[1:-1], -np.inf), edges[-1]]], axis=1)
    else:
        parts = {name: found.value[group == at] for at, name in enumerate(found.names)}
        ends = shape.ends
    strips = []
    for name, value in parts.items():
        place = np.searchsorted(ends[1:, 0], value, side="right")
        counts = np.bincount(place, minlength=len(ends)).tolist()
        for (low, high), count in zip(ends.tolist(), counts, strict=True):
            if count:
                strips.append(Strip(low, high, name, count))
    return tuple(strips)


def strip_edges(grid: Grid, value: FloatArray) -> FloatArray:
    """Where the strips of a density begin, and where the last one ends.

    The first holds at least the lowest 5% of the numbers (N,), the last at least the highest 5%.
    No strip is narrower than a twentieth of the scale, so there are at most 20.
    """
    least = (grid.high - grid.low) / STRIPS
    low, high = np.quantile(value, (0.05, 0.95)) if len(value) else (grid.low, grid.high)
    first = min(max(np.nextafter(low, np.inf), grid.low + least), grid.high - least)
    last = max(min(high, grid.high - least), first)
    between = int((last - first) / least * (1 + 1e-9))
    inner = np.linspace(first, last, between + 1) if between else np.array([first])
    return np.concatenate([[grid.low], inner, [grid.high]])
