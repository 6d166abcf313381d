"""Where linear weights begin: ridge regression on what the votes say before any network.

On few pairs least squares with a strong penalty carries over better than anything that is found by
small steps; training then has to improve on it, or leaves it as it is.

Letters: M members, N pairs, F features, K questions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assize.stats._arrays import FloatArray

Floats = NDArray[np.float32]

_SCALES = np.geomspace(0.25, 8.0, 21)  # by which a solution is multiplied, at most


def ridge_weights(
    x: Floats, posterior: FloatArray, held: NDArray[np.bool_], penalty: float
) -> Floats:
    """Weights (M, F, K) that minimise squared errors of 2 p - 1, each of a member's own pairs.

    Args:
        x: (N, F) features of A less those of B.
        posterior: (N, K) probability p that A is better; NaN where it is not known.
        held: (M, N) pairs that a member does not learn from.
        penalty: on the squared weights, a pair.

    Each solution is multiplied by what makes its differences likeliest as units of sigma, on the
    pairs that the member holds out, or else on all.
    """
    whole = x.T @ x
    target = np.nan_to_num(2 * posterior - 1).astype(np.float32)
    learnt = ~np.all(held, axis=0, keepdims=True).T  # (N, 1) pairs that some member learns from
    labels = np.where(learnt, posterior, np.nan)
    found = np.empty((len(held), x.shape[1], posterior.shape[1]), np.float32)
    for member, out in enumerate(held):
        gram = whole - x[out].T @ x[out]
        gram[np.diag_indices_from(gram)] += max(penalty * float((~out).sum()), 1e-6)
        weights = np.linalg.solve(gram, x[~out].T @ target[~out])
        judged = out if np.isfinite(labels[out]).any() else ~out
        found[member] = weights * _scales(x[judged] @ weights, labels[judged])
    return found


def _scales(difference: Floats, labels: FloatArray) -> FloatArray:
    """(K,) the factor of each question's weights that makes the labels likeliest."""
    exact = difference.astype(np.float64)
    losses = [label_loss(scale * exact, labels) for scale in _SCALES]
    return np.asarray(_SCALES[np.argmin(losses, axis=0)])


def label_loss(difference: FloatArray, posterior: FloatArray) -> FloatArray:
    """(K,) minus the expected log-likelihood of the better side; NaN posteriors count nothing."""
    from scipy.special import log_ndtr

    z = difference * np.sqrt(0.5)
    each = posterior * log_ndtr(z) + (1 - posterior) * log_ndtr(-z)
    return np.asarray(-np.nansum(each, axis=0))
