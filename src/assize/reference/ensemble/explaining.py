"""What each metric adds to a prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.errors import ConfigError
from assize.reference.ensemble.columns import Columns
from assize.reference.ensemble.ensemble import Ensemble
from assize.reference.ensemble.models.shapley import ORDERS
from assize.results import Result, ResultTable, columns
from assize.stats.arrays import FloatArray

SHOWN = 8  # metrics of an item that its table shows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explained(Result):
    """Predictions taken apart.

    Args:
        items: (N,) ids; those that are unscored are left out.
        names: (M,) metrics.
        values: (N, M) as measured.
        contributions: (N, M) Shapley values: they add up to the model's value less the average.
        average: the model's value where every metric is at its mean.
        predicted: (N,) the model's value, before it is brought into the scale.
    """

    items: tuple[str, ...]
    names: tuple[str, ...]
    values: FloatArray
    contributions: FloatArray
    average: float
    predicted: FloatArray
    unscored: int
    signature: str

    @property
    def missing(self) -> tuple[int, int]:
        """Items without a prediction, of all."""
        return self.unscored, self.unscored + len(self.items)

    @property
    def tables(self) -> dict[str, ResultTable]:
        """A table an item: what moves it most, and the rest together."""
        return {item: self._taken_apart(at) for at, item in enumerate(self.items)}

    def _taken_apart(self, at: int) -> ResultTable:
        shares = self.contributions[at]
        order = np.argsort(-np.abs(shares), kind="stable")[:SHOWN]
        rows: list[tuple[Any, ...]] = [("average continuation", None, None, self.average)]
        rows += [
            (self.names[one], float(self.values[at, one]), float(shares[one]), None)
            for one in order
        ]
        rest = float(shares.sum() - shares[order].sum())
        if len(shares) > len(order):
            rows.append((f"{len(shares) - len(order)} others", None, rest, None))
        rows.append(("prediction", None, None, float(self.predicted[at])))
        named = (
            columns("words", "metric")
            + columns("number", "value")
            + columns("number", "adds", signed=True)
            + columns("number", "together")
        )
        note = f"Shapley values against the average continuation, over {2 * ORDERS} orders."
        return ResultTable(f"Why {self.items[at]}", named, rows, notes=(note,))

    def to_json(self) -> dict[str, Any]:
        """Every contribution by item and metric."""
        each = {
            item: {
                "prediction": float(self.predicted[at]),
                "contributions": dict(
                    zip(self.names, self.contributions[at].tolist(), strict=True)
                ),
            }
            for at, item in enumerate(self.items)
        }
        return {
            "average": self.average,
            "unscored": self.unscored,
            "items": each,
            "signature": self.signature,
        }


def explained(ensemble: Ensemble, given: Columns, items: Sequence[str] | None = None) -> Explained:
    """Takes predictions apart, in the order of `items`.

    Raises:
        ConfigError: one of the items has no metrics.
    """
    known = given.matching(ensemble.names, ensemble.sources)
    asked = known.items if items is None else tuple(items)
    unknown = [one for one in asked if one not in set(known.items)]
    if unknown:
        raise ConfigError(f"item {unknown[0]!r} has no metrics here; measure it first")
    some = known.of_items(asked)
    found = ensemble.scores(some)
    kept = np.array([at for at in range(len(asked)) if at not in found.unscored], dtype=np.int64)
    values = some.values[kept]
    return Explained(
        tuple(asked[at] for at in kept.tolist()),
        ensemble.names,
        values,
        ensemble.fit.contributions(values),
        ensemble.fit.average,
        ensemble.fit.predict(values),
        len(found.unscored),
        ensemble.signature,
    )
