"""The scale on which items stand that are known from choices alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import Scale
from assize.calibrate._hierarchical.posterior import Posterior

PARTS = 20  # of the reference items
_INNER = [part / PARTS for part in range(1, PARTS)]


def latent_scale(
    question: Question, values: FloatArray, comparisons: Posterior
) -> tuple[Scale, Posterior]:
    """Where an item stands among reference items (N,), in ordered answers, and the posterior of its
    place.

    Choices fix the latent value only up to a shift, so it is standardised on a reference set and
    cut at its quantiles: the answers are twentieths of these items, their values the mean latent
    value in each, in standard deviations.
    """
    spread = float(values.std())
    if not spread > 0:
        raise DataError("the choices tell no item from another; more of them are needed")
    standard = (values - values.mean()) / spread
    each = np.unique(standard)
    below = np.searchsorted(each, np.quantile(standard, _INNER, method="inverted_cdf"))
    below = np.unique(below[below < len(each) - 1])
    edges = (each[below] + each[below + 1]) / 2  # between two items: none lies on an edge
    place = np.searchsorted(edges, standard)
    means = np.bincount(place, weights=standard) / np.bincount(place)
    names = tuple(str(part + 1) for part in range(len(means)))
    labels = {names[0]: "the lowest of the reference items", names[-1]: "the highest of them"}
    asked = Question(
        question.id,
        question.text,
        kind="ordinal",
        answers=names,
        values=tuple(means.tolist()),
        labels=labels,
    )
    steps, count = comparisons.steps, len(edges)
    slopes = comparisons.mean[:, steps:] / spread
    thresholds = np.tile(edges + values.mean() / spread, (len(slopes), 1))
    covariance = np.zeros((len(slopes), count + slopes.shape[1], count + slopes.shape[1]))
    covariance[:, count:, count:] = comparisons.covariance[:, steps:, steps:] / spread**2
    posterior = replace(
        comparisons,
        mean=np.hstack([thresholds, slopes]),
        covariance=covariance,
        steps=count,
        noise=0.0,
    )
    return Scale.of(asked), posterior
