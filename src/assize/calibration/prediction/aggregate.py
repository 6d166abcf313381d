"""Several raters' predictions as one: their mixture, or the highest answer any would give."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Scale
from assize.errors import ConfigError, DataError

Aggregate = Literal["mean", "max"]


def aggregate(probabilities: FloatArray, scale: Scale, how: Aggregate) -> FloatArray:
    """One distribution (N, K) of the raters' (N, R, K).

    Args:
        how: `mean`, the answer of a rater drawn at random: the mixture; `max`, the highest
            of all raters' answers, each given independently: P(max <= k) = prod P_a(<= k).

    Raises:
        ConfigError: `max` is asked for of answers that are not ordered.
        DataError: there are no raters.

    Source: Hashemi et al. (2024), appendix A.

    >>> from assize.judgment import Question
    >>> scale = Scale.of(Question("q", kind="ordinal", answers=("1", "2"), values=(1, 2)))
    >>> two = np.array([[[0.5, 0.5], [0.9, 0.1]]])
    >>> aggregate(two, scale, "mean").round(2).tolist(), aggregate(two, scale, "max").tolist()
    ([[0.7, 0.3]], [[0.45, 0.55]])
    """
    if probabilities.shape[1] == 0:
        raise DataError("there are no raters to aggregate")
    if how == "mean":
        return np.asarray(probabilities.mean(axis=1))
    if how != "max":
        raise ConfigError(f"no aggregate {how!r}; known are mean and max")
    if not scale.ordered:
        raise ConfigError(f"the answers to {scale.id!r} are not ordered: none is the highest")
    ascending = np.argsort(scale.values, kind="stable")
    up_to = np.cumsum(probabilities[:, :, ascending], axis=2).prod(axis=1)
    found = np.empty((len(probabilities), len(scale)))
    found[:, ascending] = np.diff(up_to, axis=1, prepend=0)
    return np.maximum(found, 0)
