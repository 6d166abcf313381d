"""What is known of each rater after a fit: a normal, and what it predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np
from scipy.special import ndtr

from assize.base.errors import DataError
from assize.calibrate._data.arrays import root_of
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import UNKNOWN


@dataclass(frozen=True, slots=True)
class Variances:
    """Prior variances: common slopes, raters' levels, their thresholds, their slopes, the slopes
    of what stands beside the answers; sets' levels, and raters' own levels in a set, where there
    are sets."""

    slopes: float = 0.1
    levels: float = 0.2
    thresholds: float = 0.05
    own_slopes: float = 0.1
    late: float = 0.1
    sets: float = 0.0
    in_sets: float = 0.0

    def __post_init__(self) -> None:
        if min(astuple(self)) < 0:
            raise DataError("a variance is below 0")


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What is known of each rater, and of one who is not known."""

    # (R + 1, K - 1 + P) thresholds, then slopes; the last row is nobody's in particular
    mean: FloatArray
    covariance: FloatArray  # (R + 1, K - 1 + P, K - 1 + P)
    steps: int  # K - 1
    variances: Variances  # the prior's
    # variance of an answer given everything; 0 where the latent value itself is asked
    noise: float = 1.0

    def __post_init__(self) -> None:
        rows, size = self.mean.shape
        if self.covariance.shape != (rows, size, size) or not 0 < self.steps <= size:
            raise DataError("mean, covariance and steps of a posterior do not fit each other")
        if self.noise < 0:
            raise DataError("the noise of a posterior is below 0")

    def probabilities(self, x: FloatArray, rater: int = UNKNOWN) -> FloatArray:
        """Answers (N, K) of one rater about rows (N, P); UNKNOWN (-1) is the last row: a
        rater drawn from the population."""
        middle, variance = self.latent(x, rater)
        spread = np.sqrt(self.noise + np.maximum(variance, 0))
        return _between_steps(ndtr(middle / np.maximum(spread, 1e-9)))

    def latent(self, x: FloatArray, rater: int = UNKNOWN) -> tuple[FloatArray, FloatArray]:
        """Means and variances (N, K - 1) of each threshold less the latent value."""
        mean, covariance = self.mean[rater], self.covariance[rater]
        count = self.steps
        middle = mean[:count] - (x @ mean[count:])[:, None]
        common = ((x @ covariance[count:, count:]) * x).sum(axis=1)
        cross = x @ covariance[count:, :count]
        return middle, covariance.diagonal()[:count] - 2 * cross + common[:, None]

    def sample(self, x: FloatArray, rater: int, draws: int, rng: np.random.Generator) -> FloatArray:
        """Answers (draws, N, K) under parameters drawn from one rater's posterior."""
        root = root_of(self.covariance[rater])
        given = self.mean[rater] + rng.normal(size=(draws, len(root))) @ root.T
        shift = given[:, self.steps :] @ x.T  # (draws, N)
        middle = given[:, None, : self.steps] - shift[:, :, None]
        return _between_steps(ndtr(middle / max(self.noise**0.5, 1e-9)))

    def of(self, raters: Sequence[int]) -> Posterior:
        """The same of some raters only, and of one who is not known."""
        rows = [*raters, len(self.mean) - 1]
        return replace(self, mean=self.mean[rows], covariance=self.covariance[rows])


def _between_steps(up_to: FloatArray) -> FloatArray:
    """P(answer <= k) (..., K - 1) as probabilities (..., K); thresholds out of order meet."""
    rising = np.maximum.accumulate(up_to, axis=-1)
    return np.diff(rising, axis=-1, prepend=0, append=1)
