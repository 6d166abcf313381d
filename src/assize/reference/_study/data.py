"""What a study looks at: data sets of continuations, with metrics as columns and people's ratings.

To add a type of figure by the kind of a metric, see `association.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assize import stats
from assize.reference._ensemble.columns import LEARNT
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._modes import modes

Scale = Literal["number", "ordinal", "binary"]
"""What a metric's values are: any number, answers in order (Likert), or yes and no."""

Mask = NDArray[np.bool_]
Names = NDArray[np.str_]

PERFECT, MAJORITY, PLURALITY, NO_MODE, UNSCORED = 3, 2, 1, 0, -1
"""How far the raters of an item agree, as `stats.agreement_bins` counts it."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A metric, or one judge's answers to one question.

    Args:
        name: as tables show it.
        group: the part of a table that it stands in: what it compares, or who judges.
        scale: of its values.
        answers: (K,) the values an answer can have, lowest first; () for numbers.
        values: (N,) one an item; NaN where it is unscored.
        referenced: whether it reads the reference, or may do so.
    """

    name: str
    group: str
    scale: Scale
    answers: tuple[float, ...]
    values: FloatArray
    referenced: bool = True

    @property
    def classes(self) -> FloatArray:
        """(N,) the nearest answer to each value, which repeats may have made a mean; of yes and
        no 1 and 0, and NaN half way between. Numbers are as they are."""
        if self.scale == "number" or not self.answers:
            return self.values
        if self.scale == "binary":
            low, high = self.answers[0], self.answers[-1]
            share = (self.values - low) / (high - low)
            return np.where(share == 0.5, np.nan, np.where(np.isnan(share), share, share > 0.5))
        known = np.asarray(self.answers)
        nearest = np.abs(self.values[:, None] - known).argmin(axis=1)
        return np.where(np.isnan(self.values), np.nan, known[nearest])

    def take(self, kept: Mask) -> Column:
        """Some of the items."""
        return replace(self, values=self.values[kept])


@dataclass(frozen=True, eq=False)
class Ratings:
    """What people said to one question, or to several that are averaged.

    Args:
        target: the question, or the name of several together.
        values: (raters R, items N); NaN marks a missing rating.
        answers: (K,) the values an answer can have, lowest first; () where any number may stand.
        highest: the largest value a rating can have; NaN where it is not known.
        unscored: ratings that were asked for and hold no value.
    """

    target: str
    values: FloatArray
    answers: tuple[float, ...] = ()
    highest: float = float("nan")
    unscored: int = 0

    @cached_property
    def means(self) -> FloatArray:
        """(N,) NaN where nobody rated."""
        count = (~np.isnan(self.values)).sum(axis=0)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(count, np.nansum(self.values, axis=0) / count, np.nan))

    @cached_property
    def modes(self) -> FloatArray:
        """(N,) the one most frequent rating; NaN where there is none, and for a single rating."""
        return modes(self.values)

    @cached_property
    def reached(self) -> IntArray:
        """(N,) how far raters agree: PERFECT, MAJORITY, PLURALITY, NO_MODE, UNSCORED."""
        return stats.agreement_bins(self.values).reached

    @cached_property
    def rows(self) -> tuple[IntArray, FloatArray]:
        """Every rating by itself: the place of its item (A,), and its value (A,)."""
        rater, item = np.nonzero(~np.isnan(self.values))
        order = np.lexsort((rater, item))
        return item[order], self.values[rater[order], item[order]]

    @property
    def binary(self) -> bool:
        """Whether the ratings take two values, as reasonableness does: by their scale, or by what
        was said on a wider one, for UPHELD's table calls all its scales 1 to 5."""
        seen = np.unique(self.values[~np.isnan(self.values)])
        return 2 in (len(self.answers), len(seen))

    @property
    def several(self) -> bool:
        """Whether any item has two ratings."""
        return bool((self.reached != UNSCORED).any())

    def __len__(self) -> int:
        """How many items are rated."""
        return int((~np.isnan(self.values)).any(axis=0).sum())

    def take(self, kept: Mask) -> Ratings:
        """Some of the items."""
        return Ratings(self.target, self.values[:, kept], self.answers, self.highest, self.unscored)


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """Continuations that were measured and rated.

    Args:
        name: as tables show it.
        items: (N,) ids.
        conversations: (N,) what is left out, drawn and held out together.
        sources: (N,) who wrote each candidate; "" where it is not known.
        columns: metrics and judges.
        ratings: by target.
        simulated: whether no person had a part in it.
        notes: what a reader should know of it.
    """

    name: str
    items: Sequence[str]
    conversations: Names
    sources: Names
    columns: Sequence[Column]
    ratings: Mapping[str, Ratings]
    simulated: bool = False
    notes: Sequence[str] = field(default_factory=tuple)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def title(self) -> str:
        """The name, which says so where the data are simulated."""
        if self.simulated and "simulated" not in self.name.lower():
            return f"{self.name} (simulated)"
        return self.name

    @property
    def label(self) -> str | None:
        """What tells its rows from those of other sets; None where all items are one set."""
        return None if self.name == "all" else self.title

    @property
    def metrics(self) -> list[Column]:
        """The columns but those of ensembles, which are made of others and may have seen these
        very ratings: what is fitted or chosen in a study reads none of them."""
        return [one for one in self.columns if not one.name.startswith(LEARNT)]

    def column(self, name: str) -> Column | None:
        """A column by its name."""
        return next((one for one in self.columns if one.name == name), None)

    def take(self, kept: Mask) -> DataSet:
        """Some of the items."""
        return replace(
            self,
            items=[item for item, keep in zip(self.items, kept.tolist(), strict=True) if keep],
            conversations=self.conversations[kept],
            sources=self.sources[kept],
            columns=[one.take(kept) for one in self.columns],
            ratings={name: one.take(kept) for name, one in self.ratings.items()},
        )
