"""What a dashboard shows of one question: a curve for each group of conversations."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.errors import ConfigError
from assize.stats.estimate import nullable
from assize.webapp.dashboard.figures.densities import Grid, Shape, counted, grid_of, shape_of
from assize.webapp.dashboard.figures.panels import aggregated, apart, most_given, panel_of
from assize.webapp.dashboard.prepared.view import Fields, FloatArray, View

ALL = "all conversations"
MOST = 6  # curves in one chart
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
        tails: the 5% and 95% quantiles: where a tail begins and ends.
    """

    name: str
    height: FloatArray
    n: int
    conversations: int
    unscored: int
    mean: float
    tails: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """One question's curves.

    Args:
        left_out: groups that are not drawn, as there are more than six; the smallest ones.
        skipped, unscored: answers that are not applicable, and that could not be made.
    """

    look: Look
    grid: Grid
    shape: Shape
    curves: tuple[Curve, ...]
    left_out: tuple[str, ...]
    skipped: int
    unscored: int

    def to_json(self) -> dict[str, Any]:
        """As a page's script reads it."""
        shape = self.shape
        return {
            "question": self.look.question,
            "kind": shape.kind,
            "scale": [self.grid.low, self.grid.high],
            "at": rounded(shape.at),
            "ends": None if shape.ends is None else shape.ends.tolist(),
            "width": shape.width,
            "curves": [
                {
                    "name": one.name,
                    "height": rounded(one.height),
                    "n": one.n,
                    "conversations": one.conversations,
                    "unscored": one.unscored,
                    "mean": nullable(one.mean),
                }
                for one in self.curves
            ],
            "left_out": list(self.left_out),
            "skipped": self.skipped,
            "unscored": self.unscored,
        }


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
                _tails(value),
            )
        )
    return Chart(
        look,
        grid,
        shape,
        tuple(curves),
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


def _tails(value: FloatArray) -> tuple[float, float]:
    if not len(value):
        return np.nan, np.nan
    low, high = np.quantile(value, (0.05, 0.95))
    return float(low), float(high)
