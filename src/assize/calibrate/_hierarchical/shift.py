"""How far a set of items lies from those that were fitted, and what that asks of a calibrator.

    P(rater a answers up to step k | x)
        = Phi(t_k + rho b_a + d_ak - s - c_a - x . beta - (x - m) . g_a)

t, b, d, beta and g are as fitting has left them. Far from where they were learnt, a rater's own
slopes g are mostly a second level with the wrong value: they act around m, the mean of the set.
What a rater's level is changes with the set: rho of it is kept, c_a is new, s is the whole set's.

With D the mean square of the set's mean readings, in standard deviations of the fitted items, and
q = D / (1 + D), rho = 1 - q^2; s has q^2, and c 1 - rho^2, of the variance of raters' levels, so
that raters differ as much in the new set as they did before. A calibrator whose fit has learnt by
how much raters and sets differ from set to set (`Variances.sets`, `in_sets`) adds that.

Few items do not tell where their set lies: of the mean of n of them as much is believed as
of a normal whose variance is that of the means, LEAST_SPREAD at least. The mean of one item that is
like others is not believed, and it is predicted nearly as if it had been among the fitted ones.
Nothing is lost by this where sets are alike; it was chosen by leaving systems out (design/31).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assize.calibrate._data.features import FloatArray
from assize.calibrate._hierarchical.design_matrix import Design
from assize.calibrate._hierarchical.posterior import Posterior

LEAST_SPREAD = 0.1  # variance between sets of a reading's mean, where items are too few to tell


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """How far the answers about some items lie from those of fitting."""

    # (P,) mean of each reading over the items, in standard deviations of the fitted ones
    readings: FloatArray
    # (P + C,) mean of the design's columns over the items
    mean: FloatArray
    count: int  # of the items

    @classmethod
    def of(cls, design: Design, x: FloatArray) -> Shift:
        """That of items with these columns (N, P + C) of a design; none for no items."""
        mean = x.mean(axis=0) if len(x) else np.zeros(x.shape[1])
        count = design.log_odds
        return cls(mean[:count] * np.sqrt(count), mean, len(x))

    @property
    def distance(self) -> float:
        """D, less what chance makes of so few items."""
        if self.count == 0:
            return 0.0
        return max(0.0, float(np.mean(self.readings**2)) - 1 / self.count)

    @property
    def believed(self) -> float:
        """Share of the mean that the centre is put to, in [0, 1)."""
        return 1 - 1 / (1 + self.count * max(self.distance, LEAST_SPREAD))

    @property
    def center(self) -> FloatArray:
        """(P + C,) where raters' own slopes act around."""
        return self.believed * self.mean

    @property
    def away(self) -> float:
        """q, in [0, 1)."""
        return self.distance / (1 + self.distance)


@dataclass(frozen=True, slots=True)
class Carried:
    """What is expected of a set beside what was fitted; in standard deviations of an answer."""

    kept: float  # rho: of what a rater's level was
    of_rater: float  # variance of c
    of_set: float  # variance of s


def expected(posterior: Posterior, shift: Shift) -> Carried:
    """By how far the set lies, and by what was learnt of sets in fitting."""
    tau = posterior.variances
    kept = 1 - shift.away**2
    levels = tau.levels + tau.in_sets
    alike = tau.levels / levels
    between = levels * (1 - kept**2) * alike + tau.in_sets
    return Carried(kept, between, levels * shift.away**2 + tau.sets)


def moved(posterior: Posterior, center: FloatArray, kept: float) -> Posterior:
    """Raters' own slopes act around a centre (P,), and so much of their levels is kept."""
    steps, mean = posterior.steps, posterior.mean.copy()
    away = mean[:-1] - mean[-1]
    mean[:-1, :steps] += (away[:, steps:] @ center)[:, None]
    mean[:-1, :steps] -= (1 - kept) * away[:, :steps].mean(axis=1)[:, None]
    shrink = np.eye(mean.shape[1])
    shrink[:steps, :steps] -= (1 - kept) / steps
    covariance = shrink @ posterior.covariance @ shrink.T
    covariance[:, :steps, :steps] += (1 - kept**2) * _common(posterior)
    return replace(posterior, mean=mean, covariance=covariance)


def _common(posterior: Posterior) -> float:
    """Variance of the level that raters have in common: that of one who is not known, less
    how raters differ."""
    steps, tau = posterior.steps, posterior.variances
    whole = float(posterior.covariance[-1, :steps, :steps].mean())
    return max(0.0, whole - tau.levels - tau.thresholds / steps)


def with_doubt(posterior: Posterior, by: Carried) -> Posterior:
    """Everybody's level is as unsure as it is in a set of which nothing is rated."""
    covariance = posterior.covariance.copy()
    covariance[:, : posterior.steps, : posterior.steps] += by.of_rater + by.of_set
    return replace(posterior, covariance=covariance)


def levels_of(posterior: Posterior) -> FloatArray:
    """(R,) how much more generous each known rater is than raters on average."""
    away = posterior.mean[:-1] - posterior.mean[-1]
    return np.asarray(-away[:, : posterior.steps].mean(axis=1))
