"""Who is rated how, and how far raters agree on each: by the source of a candidate.

Source: UPHELD, table 4 (Fleiss' kappa by source), figure 1 with appendix E.1 (aggregate scores),
figure 12 (distributions). Differs: kappa is given for every target, with ordinal alpha beside
it, for scores that are one step apart are no full disagreement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize import stats
from assize.reference._ratings import Ratings
from assize.reference._study.data import DataSet, Mask
from assize.results import Column, Estimate
from assize.stats._estimate import missing

ALL = "all"
MOST_ANSWERS = 12  # values of ratings beyond which a distribution is of bins


@dataclass(frozen=True, slots=True)
class SourceFigures:
    """The ratings of one source's candidates.

    Args:
        source: its name; `all` for all of them.
        items: with a rating.
        fleiss_kappa: on answers as names.
        alpha: Krippendorff's, on answers in order; on numbers with equal distances.
        aggregate: sum of the scores over the sum of the most that they could be.
    """

    target: str
    data: str | None
    source: str
    items: int
    fleiss_kappa: Annotated[Estimate, Column("Fleiss' kappa", digits=2)]
    alpha: Annotated[Estimate, Column(digits=2)]
    aggregate: Annotated[Estimate, Column("share of the best", kind="percent", digits=1, unit="%")]


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How many ratings of one source's candidates are each answer, by answer."""

    target: str
    data: str | None
    source: str
    ratings: int
    answers: Mapping[str, int]


def source_masks(ratings: Ratings, data: DataSet) -> dict[str, Mask]:
    """Return the items of every source with a rating, and of all together."""
    rated = (~np.isnan(ratings.values)).any(axis=0)
    names = sorted(set(data.sources[rated].tolist()) - {""})
    masks = {name: data.sources == name for name in names}
    return masks if len(names) == 1 else {**masks, ALL: np.ones(len(data), bool)}


def measure_sources(ratings: Ratings, data: DataSet) -> list[SourceFigures]:
    """Return every source from the best to the worst by its aggregate score; then all."""
    rows = [
        measure_source(name, ratings, data, kept)
        for name, kept in source_masks(ratings, data).items()
    ]
    if np.isfinite(ratings.highest):
        rows.sort(key=lambda row: (row.source == ALL, -row.aggregate.estimate))
    return rows


def count_answers(ratings: Ratings, data: DataSet) -> list[AnswerCounts]:
    """Return how often each answer is given to each source.

    What lies between two answers counts for the nearest.
    """
    every = ratings.rows().value
    known = np.asarray(ratings.answers if ratings.answers else np.unique(every))
    if not ratings.answers and len(known) > MOST_ANSWERS:  # bins, the same for all sources
        known = np.linspace(every.min(), every.max(), 9)
    rows = []
    for name, kept in source_masks(ratings, data).items():
        value = ratings.take(kept).rows().value
        nearest = np.abs(value[:, None] - known).argmin(axis=1)
        counts = np.bincount(nearest, minlength=len(known)).tolist()
        answers = {f"{answer:g}": n for answer, n in zip(known, counts, strict=True)}
        rows.append(AnswerCounts(ratings.target, data.label, name, len(value), answers))
    return rows


def measure_source(name: str, ratings: Ratings, data: DataSet, kept: Mask) -> SourceFigures:
    """Return the figures of one source's items."""
    some, clusters = ratings.values[:, kept], data.conversations[kept]
    rows = ratings.take(kept).rows()
    kappa = stats.fleiss_kappa(some, clusters=clusters)
    if not ratings.answers and len(np.unique(rows.value)) > MOST_ANSWERS:
        kappa = missing("fleiss_kappa", 1, "the ratings are numbers, not answers")
    most = ratings.highest
    aggregate = missing("aggregate", 1, "the scale has no highest value above 0")
    if np.isfinite(most) and most > 0:  # UPHELD, appendix E.1: sum(s) / sum(M) with the same M
        aggregate = stats.mean(rows.value / most, clusters=clusters[rows.item])
    return SourceFigures(
        ratings.target,
        data.label,
        name,
        int((~np.isnan(some)).any(axis=0).sum()),
        kappa,
        stats.alpha(some, level="ordinal" if ratings.answers else "interval", clusters=clusters),
        aggregate,
    )
