"""A distribution over answers as the probabilities of yes-or-no events, and back."""

from __future__ import annotations

import numpy as np

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Scale


def to_events(p: FloatArray, scale: Scale) -> FloatArray:
    """P(answer <= k) for all k but the highest, or the answers' own where they have no order."""
    if not scale.ordered:
        return p
    rising = np.argsort(scale.values, kind="stable")
    return np.asarray(np.clip(np.cumsum(p[:, rising], axis=1)[:, :-1], 0, 1))


def from_events(events: FloatArray, scale: Scale) -> FloatArray:
    """The distributions (N, K) of events (N, E); crossing ones are sorted (Chernozhukov et al.,
    2010)."""
    if not scale.ordered:
        return np.asarray(events / events.sum(axis=1, keepdims=True))
    rising = np.argsort(scale.values, kind="stable")
    steps = np.diff(np.sort(events, axis=1), axis=1, prepend=0, append=1)
    steps[np.isnan(events).any(axis=1)] = np.nan
    found = np.empty_like(steps)
    found[:, rising] = steps
    return found
