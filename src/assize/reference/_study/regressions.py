"""Which metrics go with the ratings: each by itself, and all together.

One row a rating. Metrics are divided by their standard deviation, so that coefficients are steps
of the rating for one deviation of the metric, and can be compared.

Source: UPHELD, appendix L and figures 2-3 and 8-11: p-values from single-variable regressions,
because metrics go together; coefficients from all in one. Differs: the published p-values take
the ratings of an item as independent; beside these stand those clustered by conversation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize import stats
from assize.reference._ratings import Ratings
from assize.reference._study.data import DataSet
from assize.results import Column, Estimate, Hidden, Percent
from assize.results.types import NAN


@dataclass(frozen=True, slots=True)
class MetricWeight:
    """How a rating changes with one standard deviation of a metric.

    Args:
        alone: by the metric itself; errors clustered by conversation.
        independent_p: the p-value of `alone` that takes rows as independent, as published.
        together: with all other metrics held; errors clustered.
    """

    target: str
    data: str | None
    metric: str
    alone: Annotated[Estimate, Column(signed=True)]
    alone_error: Hidden[float]
    alone_p: Annotated[float, Column("p", "p")]
    independent_p: Annotated[float, Column("p, rows independent", "p")]
    together: Annotated[Estimate, Column(signed=True)]
    together_error: Hidden[float]
    together_p: Annotated[float, Column("p together", "p")]


@dataclass(frozen=True, slots=True)
class VarianceExplained:
    """How much of the ratings' variance all metrics together explain.

    Args:
        explained: share of the variance.
        n, unscored: ratings of items with all metrics, and of items without.
        conversations: that the errors take as independent.
    """

    target: str
    data: str | None
    explained: Percent[float]
    n: int
    unscored: int
    conversations: int


def regress_ratings(
    ratings: Ratings, data: DataSet
) -> tuple[list[MetricWeight], VarianceExplained]:
    """Return every metric by itself and beside the others, and what all explain together."""
    metrics = [metric for metric in data.metrics if not np.isnan(metric.values).all()]
    rated = ratings.rows()
    item, value = rated.item, rated.value
    clusters = data.conversations[item]
    if not metrics:
        return [], VarianceExplained(ratings.target, data.label, NAN, 0, len(value), 0)
    values = np.stack([metric.values for metric in metrics], axis=1)
    deviation = np.nanstd(values, axis=0)
    x = (values / np.where(deviation > 0, deviation, 1.0))[item]
    every = stats.regress(x, value, clusters=clusters)
    rows = []
    for index, metric in enumerate(metrics):
        own = x[:, index : index + 1]
        single = stats.regress(own, value, clusters=clusters)
        alone, together = single.coefficients[0], every.coefficients[index]
        rows.append(
            MetricWeight(
                ratings.target,
                data.label,
                metric.name,
                Estimate(alone.estimate, alone.interval, single.n, single.unscored, alone.reason),
                alone.standard_error,
                alone.p_value,
                stats.regress(own, value).coefficients[0].p_value,
                Estimate(
                    together.estimate, together.interval, every.n, every.unscored, together.reason
                ),
                together.standard_error,
                together.p_value,
            )
        )
    explained = VarianceExplained(
        ratings.target, data.label, every.r2, every.n, every.unscored, every.clusters
    )
    return rows, explained
