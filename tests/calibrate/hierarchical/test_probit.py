from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm
from tests.calibrate.hierarchical.simulated import divergence

from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._hierarchical.posterior import Posterior, Variances
from assize.calibrate._hierarchical.probit import Columns, Observed, _design, _Layout, fit_probit

STEPS = np.array([-1.2, 0.1, 1.3])


def simulated(
    rows: int, raters: int, variances: Variances, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """x, rater, answers, and true probabilities (N, R, 4), with parameters drawn as modelled."""
    rng = np.random.default_rng(seed)
    size = 5
    beta = rng.normal(0, variances.slopes**0.5, size)
    level = rng.normal(0, variances.levels**0.5, raters)
    own = rng.normal(0, variances.own_slopes**0.5, (raters, size))
    x = rng.normal(size=(rows, size)) / np.sqrt(size)
    rater = rng.integers(raters, size=rows)
    middle = x @ (beta + own).T  # (N, R)
    up_to = ndtr(STEPS + level[:, None] - middle[..., None])  # (N, R, 3)
    edges = np.concatenate(
        [np.zeros((*middle.shape, 1)), up_to, np.ones((*middle.shape, 1))], axis=2
    )
    true = np.diff(edges, axis=2)
    given = true[np.arange(rows), rater]
    y = (given.cumsum(axis=1) < rng.random((rows, 1))).sum(axis=1)
    return x, rater, y, true


def fitted(
    x: np.ndarray, y: np.ndarray, rater: np.ndarray, *, answers: int, **options: Any
) -> Posterior:
    """Graded answers alone."""
    return fit_probit([Observed(x, y, rater, answers)], Columns(x.shape[1]), **options)[0][0]


def test_variances_and_distributions_are_recovered() -> None:
    given = Variances(slopes=3.0, levels=0.3, thresholds=0.0, own_slopes=0.8)
    x, rater, y, true = simulated(12_000, 60, given, seed=1)
    found = fitted(x, y, rater, answers=4, raters=60, own_share=1.0)
    assert found.variances.levels == pytest.approx(0.3, rel=0.35)
    assert found.variances.own_slopes == pytest.approx(0.8, rel=0.25)
    assert found.variances.thresholds < 0.02
    p = np.stack([found.probabilities(x[:500], one) for one in range(60)], axis=1)
    # Nine parameters a rater on 200 rows cost 9 / 400 nats where nothing is shared.
    assert divergence(true[:500], p) < 0.75 * 9 / 400


def test_an_unknown_rater_is_as_uncertain_as_raters_differ() -> None:
    given = Variances(slopes=1.0, levels=0.8, thresholds=0.0, own_slopes=0.3)
    x, rater, y, true = simulated(4_000, 160, given, seed=3)
    known = rater < 80
    found = fitted(x[known], y[known], rater[known], answers=4, raters=80, own_share=1.0)
    p = found.probabilities(x[~known], UNKNOWN)
    others = true[~known, 80:].mean(axis=1)  # what raters who were never seen answer
    assert divergence(others, p) < 0.01
    certain = Posterior(found.mean, np.zeros_like(found.covariance), 3, found.variances)
    assert divergence(others, certain.probabilities(x[~known], UNKNOWN)) > 0.05


def test_one_rater_without_log_odds_gets_the_shares_of_the_answers() -> None:
    # Without slopes and raters the thresholds are free: the mode reproduces the shares.
    y = np.repeat([0, 1, 2], [100, 300, 600])
    flat = Variances(1e-9, 1e-9, 1e-9, 1e-9)
    x, rater = np.zeros((1000, 1)), np.zeros(1000, dtype=np.int64)
    found = fitted(x, y, rater, answers=3, raters=1, variances=flat)
    assert found.probabilities(x[:1], 0)[0] == pytest.approx([0.1, 0.3, 0.6], abs=0.003)
    assert found.mean[0, :2] == pytest.approx(norm.ppf([0.1, 0.4]), abs=0.01)


def test_a_rater_without_rows_is_predicted_as_unknown() -> None:
    x, rater, y, _ = simulated(400, 4, Variances(), seed=4)
    found = fitted(x, y, rater, answers=4, raters=5)
    gap = found.probabilities(x, 4) - found.probabilities(x, UNKNOWN)
    assert np.abs(gap).max() < 1e-3  # a hundredth of a pseudo row apart


def test_no_variance_of_own_slopes_makes_raters_differ_in_level_and_scale_only() -> None:
    x, rater, y, _ = simulated(400, 4, Variances(), seed=4)
    found = fitted(x, y, rater, answers=4, raters=4, own_share=0.0)
    assert np.ptp(found.mean[:, 3:], axis=0).max() < 1e-6
    assert np.ptp(found.mean[:, 0]) > 0.05


def test_answers_nobody_gave_between_others_keep_the_thresholds_in_order() -> None:
    x = np.repeat([[-1.0], [1.0]], 50, axis=0)
    y = np.repeat([0, 3], 50)
    found = fitted(x, y, np.zeros(100, dtype=np.int64), answers=4, raters=1)
    assert (np.diff(found.mean[:, :3], axis=1) > 0).all()
    low, high = found.probabilities(x[[0, -1]], 0)
    assert low[0] > 0.9
    assert high[3] > 0.9


def test_a_rater_who_always_says_the_same_is_finite() -> None:
    rng = np.random.default_rng(0)
    y = np.r_[np.full(60, 3), rng.integers(0, 4, 60)]
    x = 50 * rng.normal(size=(120, 3))
    found = fitted(x, y, np.repeat([0, 1], 60), answers=4, raters=2)
    assert found.probabilities(x, 0)[:, 3].min() > 0.7
    assert np.isfinite(found.probabilities(x, 1)).all()


def test_each_answer_counts_for_the_level_of_its_set_and_the_raters_level_there() -> None:
    x = np.array([[0.5, 1.0], [2.0, 3.0], [4.0, 5.0]])
    places, raters = np.array([0, 2, 1]), np.array([0, 1, 0])
    observed = Observed(x, places, raters, 3, set=np.array([0, 1, UNKNOWN]))
    layout = _Layout.of([observed], Columns(2), 2)
    by = np.array([1.0, 2.0, 3.0])  # what a rater's own parameters are multiplied by
    upper, lower, own_upper, own_lower, *_ = _design(observed, by, layout, 0)
    for shared, own in ((upper, own_upper), (lower, own_lower)):
        assert shared[:, layout.shared_sets :].tolist() == [[1, 0], [0, 1], [0, 0]]
        assert own[:, layout.own_in_sets :].tolist() == [[1, 0], [0, 2], [0, 0]]
        assert shared[:, layout.slopes : layout.shared_sets].tolist() == (-x).tolist()
        assert own[:, 0].tolist() == by.tolist()
    # the threshold above each answer, and the one below; the last answer has none above
    assert upper[:, : layout.slopes].argmax(axis=1).tolist() == [0, 1, 1]
    assert lower[:, : layout.slopes].argmax(axis=1).tolist() == [0, 1, 0]
