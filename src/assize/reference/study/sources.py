"""Who is rated how, and how far raters agree on each: by the source of a candidate.

Source: UPHELD, table 4 (Fleiss' kappa by source), figure 1 with appendix E.1 (aggregate scores),
figure 12 (distributions). Differs: kappa is given for every target, with ordinal alpha beside
it, for scores that are one step apart are no full disagreement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize import stats
from assize.reference.study.data import DataSet, Mask, Names, Ratings
from assize.stats import Estimate
from assize.stats.arrays import FloatArray
from assize.stats.estimate import missing

ALL = "all"
MOST_ANSWERS = 12  # values of ratings beyond which a distribution is of bins


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The ratings of one source's candidates.

    Args:
        name: of the source; `all` for all of them.
        items: with a rating.
        kappa: Fleiss', on answers as names.
        alpha: Krippendorff's, on answers in order; on numbers with equal distances.
        aggregate: sum of the scores over the sum of the most that they could be.
        counts: by answer, how many ratings are it.
    """

    name: str
    items: int
    kappa: Estimate
    alpha: Estimate
    aggregate: Estimate
    counts: Mapping[float, int]

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "items": self.items,
            "fleiss_kappa": self.kappa.to_json(),
            "alpha": self.alpha.to_json(),
            "aggregate": self.aggregate.to_json(),
            "answers": {f"{value:g}": n for value, n in self.counts.items()},
        }


def sources_of(ratings: Ratings, data: DataSet) -> list[Source]:
    """Every source with a rating, in the order of its aggregate score; then all together."""
    rated = (~np.isnan(ratings.values)).any(axis=0)
    names = sorted(set(data.sources[rated].tolist()) - {""})
    found = [_source(name, ratings, data, data.sources == name) for name in names]
    if np.isfinite(ratings.highest):
        found.sort(key=lambda one: -one.aggregate.estimate)
    everything = _source(ALL, ratings, data, np.ones(len(data), bool))
    return [*found, everything] if len(names) != 1 else found


def _source(name: str, ratings: Ratings, data: DataSet, kept: Mask) -> Source:
    some, clusters = ratings.values[:, kept], data.conversations[kept]
    item, value = ratings.take(kept).rows
    kappa = stats.fleiss_kappa(some, clusters=clusters)
    if not ratings.answers and len(np.unique(value)) > MOST_ANSWERS:
        kappa = missing("fleiss_kappa", 1, "the ratings are numbers, not answers")
    return Source(
        name,
        int((~np.isnan(some)).any(axis=0).sum()),
        kappa,
        stats.alpha(some, level="ordinal" if ratings.answers else "interval", clusters=clusters),
        _aggregate(value, clusters[item], ratings.highest),
        _counts(value, ratings.answers),
    )


def _aggregate(value: FloatArray, clusters: Names, most: float) -> Estimate:
    """sum(s) / sum(M) over ratings; the most M is the same for all, so that it is a mean.

    Source: UPHELD, appendix E.1.
    """
    if not np.isfinite(most) or most <= 0:
        return missing("aggregate", 1, "the scale has no highest value above 0")
    return stats.mean(value / most, clusters=clusters)


def _counts(value: FloatArray, answers: Sequence[float]) -> dict[float, int]:
    """How many ratings are each answer; what lies between two counts for the nearest."""
    known = np.asarray(answers if answers else np.unique(value))
    if len(known) == 0:
        return {}
    if not answers and len(known) > MOST_ANSWERS:
        known = np.linspace(value.min(), value.max(), 9)
    nearest = np.abs(value[:, None] - known).argmin(axis=1)
    counts = np.bincount(nearest, minlength=len(known))
    return {float(one): int(n) for one, n in zip(known, counts, strict=True)}
