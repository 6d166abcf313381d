"""Which metrics go with the ratings: each by itself, and all together.

One row a rating. Metrics are divided by their standard deviation, so that coefficients are steps
of the rating for one deviation of the metric, and can be compared.

Source: UPHELD, appendix L and figures 2-3 and 8-11: p-values from single-variable regressions,
because metrics go together; coefficients from all in one. Differs: the published p-values take
the ratings of an item as independent; beside these stand those clustered by conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize import stats
from assize.reference.study.data import Column, DataSet, Ratings
from assize.results.types import NAN
from assize.stats import Coefficient
from assize.stats.estimate import nullable


@dataclass(frozen=True, slots=True, eq=False)
class Weight:
    """What a regression says of one metric.

    Args:
        alone: its coefficient by itself; errors clustered by conversation.
        plain_p: the p-value of `alone` that takes rows as independent, as published.
        together: its coefficient with all other metrics held; errors clustered.
    """

    column: str
    group: str
    alone: Coefficient
    plain_p: float
    together: Coefficient

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "metric": self.column,
            "alone": self.alone.to_json(),
            "p_value_of_independent_rows": nullable(self.plain_p),
            "together": self.together.to_json(),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Regressions of one target on the metrics of a data set.

    Args:
        rows: one a metric.
        r2: share of the ratings' variance that all metrics together explain.
        n, unscored: ratings of items with all metrics, and of items without.
        conversations: that the errors take as independent.
    """

    rows: Sequence[Weight]
    r2: float
    n: int
    unscored: int
    conversations: int

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "metrics": [one.to_json() for one in self.rows],
            "r2": nullable(self.r2),
            "n": self.n,
            "unscored": self.unscored,
            "conversations": self.conversations,
        }


def weights_of(ratings: Ratings, data: DataSet) -> Weights:
    """Every metric by itself, and all of them together."""
    columns = [one for one in data.metrics if not np.isnan(one.values).all()]
    item, value = ratings.rows
    clusters = data.conversations[item]
    if not columns:
        return Weights([], NAN, 0, len(value), 0)
    x = np.stack([_standard(one) for one in columns], axis=1)[item]
    all_of = stats.regress(x, value, clusters=clusters)
    rows = []
    for at, column in enumerate(columns):
        alone = stats.regress(x[:, at : at + 1], value, clusters=clusters).coefficients[0]
        plain = stats.regress(x[:, at : at + 1], value).coefficients[0]
        together = all_of.coefficients[at]
        rows.append(Weight(column.name, column.group, alone, plain.p_value, together))
    return Weights(rows, all_of.r2, all_of.n, all_of.unscored, all_of.clusters)


def _standard(column: Column) -> np.ndarray[Any, Any]:
    """The values over their standard deviation; a constant is left as it is."""
    deviation = float(np.nanstd(column.values))
    return column.values / deviation if deviation > 0 else column.values
