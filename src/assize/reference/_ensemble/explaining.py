"""What each metric adds to a prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.base.errors import ConfigError
from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.ensemble import Ensemble
from assize.reference._ensemble.models.shapley import ORDERS
from assize.reference._metrics.explained import MetricValue
from assize.results import Column, Hidden, Result, Table
from assize.results.numbers import counted

SHOWN = 12  # metrics of an item that its table shows
NOTE = f"Shapley values against the average continuation, over {2 * ORDERS} orders."


@dataclass(frozen=True, slots=True)
class Prediction:
    """A prediction, which is the average with what all metrics add.

    Args:
        average: the model's value where every metric is at its mean.
        prediction: the model's value, before it is brought into the scale.
    """

    item: str
    ensemble: str
    average: float
    metrics_add: Annotated[float, Column(signed=True)]
    prediction: float


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one metric adds to a prediction.

    Args:
        value: of the metric, as measured.
        adds: its Shapley value.
    """

    prediction: str
    item: Hidden[str]
    metric: str
    value: float
    adds: Annotated[float, Column(signed=True)]


@dataclass(frozen=True, slots=True, repr=False)
class Explained(Result):
    """Predictions taken apart, item by item; the metrics that move one most come first.

    Args:
        metrics: of one continuation, where it is what is explained.
        contributions: by item and metric; they add up to the prediction less the average.
        unscored: items without a prediction, which are left out.
        item: the one continuation that is explained; None where there are several.
    """

    metrics: Annotated[Sequence[MetricValue], Table("Metrics of the continuation")]
    predictions: Annotated[Sequence[Prediction], Table("Predictions", most=SHOWN)]
    contributions: Annotated[
        Sequence[Contribution],
        Table("What each metric adds", group="prediction", notes=[NOTE], most=SHOWN),
    ]
    unscored: Hidden[int]
    signature: str
    item: Hidden[str | None] = None

    @property
    def sentence(self) -> str:
        """Which continuation is explained, or how many predictions are."""
        if self.item is None:
            return f"What each metric adds to {counted(len(self.predictions), 'prediction')}."
        added = ", and what each adds to its prediction" if self.predictions else ""
        return f"{counted(len(self.metrics), 'metric')} of {self.item}{added}."

    @property
    def missing(self) -> tuple[int, int]:
        """Items without a prediction, of all."""
        return self.unscored, self.unscored + len(self.predictions)


def explained(ensemble: Ensemble, given: Columns, items: Sequence[str] | None = None) -> Explained:
    """Take predictions apart, in the order of `items`.

    Raises:
        ConfigError: one of the items has no metrics.
    """
    columns = given.matching(ensemble.names, ensemble.sources)
    wanted = columns.items if items is None else tuple(items)
    unknown = [item for item in wanted if item not in set(columns.items)]
    if unknown:
        raise ConfigError(f"item {unknown[0]!r} has no metrics here; measure it first")
    some = columns.of_items(wanted)
    unscored = ensemble.unscored(some)
    kept = [index for index in range(len(wanted)) if index not in unscored]
    values = some.values[np.array(kept, dtype=np.int64)]
    added = ensemble.fit.contributions(values)
    average = ensemble.fit.average
    predictions, contributions = [], []
    for row, (index, total) in enumerate(zip(kept, ensemble.fit.predict(values), strict=True)):
        item = wanted[index]
        adds = float(added[row].sum())
        predictions.append(Prediction(item, ensemble.judge, average, adds, float(total)))
        for column in np.argsort(-np.abs(added[row]), kind="stable").tolist():
            contributions.append(
                Contribution(
                    f"{item} by {ensemble.judge}",
                    item,
                    ensemble.names[column],
                    float(values[row, column]),
                    float(added[row, column]),
                )
            )
    return Explained([], predictions, contributions, len(unscored), ensemble.signature)
