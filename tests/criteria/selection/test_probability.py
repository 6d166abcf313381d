"""The probability of good from NetSAT."""

from __future__ import annotations

import numpy as np
import pytest

from assize.criteria._selection.probability import logistic


def test_the_curve_that_made_the_labels_is_found() -> None:
    rng = np.random.default_rng(0)
    nets = rng.normal(3, 10, size=20_000)
    good = rng.random(20_000) < 1 / (1 + np.exp(-(0.2 * nets - 0.5)))
    found = logistic(nets, good)
    assert found.slope == pytest.approx(0.2, abs=0.01)
    assert found.intercept == pytest.approx(-0.5, abs=0.06)
    assert found.probability(nets).mean() == pytest.approx(good.mean(), abs=1e-3)


def test_classes_that_do_not_overlap_have_a_finite_slope() -> None:
    found = logistic(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    # Platt's targets are 3/4 and 1/4, so the fitted log-odds stay about ln 3 away from 0.
    assert 0 < found.slope < 2
    assert found.intercept == pytest.approx(0, abs=1e-6)


def test_one_score_for_all_leaves_the_share() -> None:
    found = logistic(np.full(4, 3.0), np.array([True, False, False, False]))
    assert found.slope == 0
    assert found.probability(np.array([3.0]))[0] == pytest.approx(0.25)


def test_a_prevalence_moves_the_curve_and_not_its_slope() -> None:
    rng = np.random.default_rng(1)
    nets, good = rng.normal(size=200), np.arange(200) < 100
    plain, rare = logistic(nets, good), logistic(nets, good, 0.1)
    assert rare.slope == plain.slope
    assert rare.intercept - plain.intercept == pytest.approx(np.log(0.1 / 0.9))


def test_a_unit_of_the_scores_changes_nothing() -> None:
    rng = np.random.default_rng(2)
    good = np.arange(100) < 40
    nets = rng.normal(size=100) + good
    one, other = logistic(nets, good), logistic(1000 * nets + 7, good)
    assert np.allclose(one.probability(nets), other.probability(1000 * nets + 7))
