"""What a study looks at: data sets of continuations, with metrics as columns and people's ratings.

To add a type of figure by the kind of a metric, see `association.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assize.reference._ensemble.columns import LEARNT
from assize.reference._ratings import Ratings
from assize.stats._arrays import FloatArray

Scale = Literal["number", "ordinal", "binary"]
"""What a metric's values are: any number, answers in order (Likert), or yes and no."""

Mask = NDArray[np.bool_]
Names = NDArray[np.str_]


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

    def matrix(self, names: Sequence[str]) -> FloatArray:
        """(N, M) some columns side by side."""
        values = {column.name: column.values for column in self.columns}
        return np.column_stack([np.empty((len(self), 0)), *(values[name] for name in names)])

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
