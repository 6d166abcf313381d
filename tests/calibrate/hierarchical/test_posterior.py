from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._hierarchical.posterior import Posterior, Variances


def posterior(thresholds: list[float], spread: float = 0.0) -> Posterior:
    """Two raters and nobody, on K = 3 answers and one column with slope 2."""
    mean = np.array([[*thresholds, 2.0], [thresholds[0] + 1, thresholds[1] + 1, 2.0], [0, 0, 0]])
    covariance = np.repeat(spread * np.eye(3)[None], 3, axis=0)
    return Posterior(mean, covariance, 2, Variances())


@pytest.mark.parametrize(
    ("thresholds", "x", "expected"),
    [
        # The latent value is 0.25 * 2 = 0.5: P(1) = Phi(-1.5), P(<= 2) = Phi(0).
        ([-1.0, 0.5], 0.25, [ndtr(-1.5), 0.5 - ndtr(-1.5), 0.5]),
        # Thresholds out of order leave no mass between them.
        ([0.5, -1.0], 0.0, [ndtr(0.5), 0.0, 1 - ndtr(0.5)]),
    ],
)
def test_probabilities_are_those_between_the_thresholds(
    thresholds: list[float], x: float, expected: list[float]
) -> None:
    assert posterior(thresholds).probabilities(np.array([[x]]), 0)[0] == pytest.approx(expected)


def test_what_is_not_known_flattens_by_its_variance() -> None:
    found = posterior([-1.0, 0.5], spread=1.0).probabilities(np.array([[2.0]]), 0)[0]
    # Threshold less value has the variance 1 + 2**2, and the answer's noise 1 more.
    assert found[0] == pytest.approx(ndtr((-1.0 - 4.0) / 6**0.5))


def test_unknown_is_the_last_row_and_stays_so_among_fewer_raters() -> None:
    x = np.array([[0.3], [-1.0]])
    whole = posterior([-1.0, 0.5], spread=0.2)
    few = whole.of([1])
    assert np.array_equal(few.probabilities(x, 0), whole.probabilities(x, 1))
    assert np.array_equal(few.probabilities(x, UNKNOWN), whole.probabilities(x, UNKNOWN))


def test_samples_average_to_the_prediction() -> None:
    whole = posterior([-1.0, 0.5], spread=0.2)
    x = np.array([[0.3], [-1.0]])
    drawn = whole.sample(x, 0, 40_000, np.random.default_rng(0))
    assert drawn.shape == (40_000, 2, 3)
    assert drawn.mean(axis=0) == pytest.approx(whole.probabilities(x, 0), abs=0.01)
