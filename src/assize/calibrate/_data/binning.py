"""Real-valued answers: cut at their quantiles, learnt as ordered answers, read as a density.

A cumulative model with a threshold at each quantile follows any shape of distribution,
and any rater's use of the scale: it is the semiparametric model of continuous outcomes of
Liu et al., "Modeling continuous response variables using ordinal regression", 2017, with
as many thresholds as the ratings bear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import Scale

MOST, LEAST = 20, 10  # intervals, and ratings in one, at least
LEAST_MASS = 1e-12  # of an interval that is divided by
EDGES = "edges"  # the key in a question's `extra`


def binned(question: Question, scores: ArrayLike) -> Question:
    """The question with at most 20 intervals of its scores (N,) as answers, 10 or more in each."""
    known = np.sort(np.asarray(scores, dtype=np.float64))
    if len(np.unique(known)) < 2:
        raise DataError(
            f"the {len(known)} scores of {question.id!r} are too few or too much alike to be"
            " learnt from; give the question answers, or more ratings"
        )
    parts = max(2, min(MOST, len(known) // LEAST))
    inner = np.unique(np.quantile(known, np.arange(1, parts) / parts, method="inverted_cdf"))
    inner = inner[inner < known[-1]]  # an edge belongs to the interval below it
    if len(inner) == 0:  # most gave the highest score
        inner = known[known < known[-1]][-1:]
    place = np.searchsorted(inner, known)
    means = np.bincount(place, weights=known) / np.bincount(place)
    edges = (float(known[0]), *inner.tolist(), float(known[-1]))
    names = tuple(
        f"{low:.6g} to {high:.6g}" if low < high else f"{low:.6g}" for low, high in pairwise(edges)
    )
    extra = {**question.extra, EDGES: list(edges)}
    return replace(
        question,
        kind="ordinal",
        answers=names,
        values=tuple(means.tolist()),
        range=None,
        extra=extra,
    )


def place_of_score(question: Question, score: float) -> int:
    """The interval that a score falls in; beyond the ends it is the last one there."""
    return int(np.searchsorted(np.array(question.extra[EDGES][1:-1]), score))


def is_binned(question: Question) -> bool:
    """Whether the answers are intervals of a number."""
    return EDGES in question.extra


def quantiles(probabilities: FloatArray, scale: Scale, levels: Sequence[float]) -> FloatArray:
    """Quantiles (N, L) of a number from probabilities (N, K) that are even in each interval."""
    edges = np.array(scale.question.extra[EDGES])
    above = np.cumsum(probabilities, axis=1)
    line, last = np.arange(len(probabilities)), probabilities.shape[1] - 1
    found = np.empty((len(probabilities), len(levels)))
    for place, level in enumerate(levels):
        at = np.minimum((above < level).sum(axis=1), last)
        mass = probabilities[line, at]
        part = (level - above[line, at] + mass) / np.maximum(mass, LEAST_MASS)
        found[:, place] = edges[at] + np.clip(part, 0, 1) * (edges[at + 1] - edges[at])
    return np.where(np.isnan(probabilities[:, :1]), np.nan, found)
