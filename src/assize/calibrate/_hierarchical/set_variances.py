"""How much of raters' levels another set keeps, and how far they differ there: from few labels.

    z_a ~ Normal(s + rho l_a, v_a + var c),   s ~ Normal(0, var s)

l_a is rater a's level as it was, z_a the one that the new labels speak of, v_a how unsure they
are. rho, var c and var s are averaged over a grid (empirical Bayes under a weak prior:
heavy-tailed around the logarithms of the expected variances, normal around the expected rho). With
one label each of 20 raters the likelihood says little and the prior much; with five each the labels
decide. The prior was chosen in simulation against known variances, and by leaving systems out
(design/31).
"""

from __future__ import annotations

import numpy as np

from assize.calibrate._data.features import FloatArray
from assize.calibrate._hierarchical.shift import Carried

# Of the variance of raters' levels, what is expected at least where there are labels
NEAR, FAR = 0.2, 1.0  # in a set that lies where the fitted ones do, and in one far away
KEPT = np.linspace(0, 1, 11)
KEPT_NEAR, KEPT_FAR = 0.3, 0.5  # deviation of the prior of rho, likewise
FACTORS = 2.0 ** np.arange(-8, 5)  # of the variance of raters' levels
LOG_SCALE = 1.0  # of the prior of a variance's logarithm, a Student's t


def learn_carried(
    said: FloatArray, error: FloatArray, was: FloatArray, by: Carried, levels: float, away: float
) -> Carried:
    """What is expected of the set, given what labels say.

    Args:
        said: (R,) levels that each rater's labels speak of; `error` their variances.
        was: (R,) levels before.
        by: what was expected without labels.
        levels: variance of raters' levels.
        away: how far the set lies from the fitted ones, from 0 to 1.
    """
    least = (NEAR + (FAR - NEAR) * away) * levels
    base_rater, base_set = max(by.of_rater, least), max(by.of_set, least)
    kept, of_rater, of_set = np.meshgrid(KEPT, FACTORS * levels, FACTORS * levels, indexing="ij")
    weight = -0.5 * ((kept - by.kept) / (KEPT_NEAR + (KEPT_FAR - KEPT_NEAR) * away)) ** 2
    weight += _log_prior(of_rater, base_rater) + _log_prior(of_set, base_set)
    weight += _log_evidence(said, error, was, kept, of_rater, of_set)
    p = np.exp(weight - weight.max())
    p /= p.sum()
    rater, set_ = (np.exp((p * np.log(one)).sum()) for one in (of_rater, of_set))
    return Carried(float((p * kept).sum()), float(rater), float(set_))


def _log_prior(variance: FloatArray, expected: float) -> FloatArray:
    """A Student's t with 3 degrees of freedom, so that labels can tell of something else."""
    return np.asarray(-2 * np.log1p((np.log(variance / expected) / LOG_SCALE) ** 2 / 3))


def _log_evidence(
    said: FloatArray,
    error: FloatArray,
    was: FloatArray,
    kept: FloatArray,
    of_rater: FloatArray,
    of_set: FloatArray,
) -> FloatArray:
    """Of normals with a common level (the determinant lemma), one for each point of the grid."""
    precision = 1 / (error + of_rater[..., None])  # (..., R)
    gap = said - kept[..., None] * was
    total, pull = precision.sum(axis=-1), (precision * gap).sum(axis=-1)
    square = (precision * gap**2).sum(axis=-1) - pull**2 / (total + 1 / of_set)
    spread = -np.log(precision).sum(axis=-1) + np.log1p(of_set * total)
    return np.asarray(-0.5 * (square + spread))
