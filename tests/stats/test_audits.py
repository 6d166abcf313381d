"""Audits of a judge."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.stats import (
    length_bias,
    partial_correlation,
    pearson,
    position_bias,
    self_consistency,
    self_preference,
    self_scores,
)

NAN = float("nan")
RNG = np.random.default_rng


def test_position_bias_by_hand() -> None:
    # same, first shown both times, second shown both times, a tie once, unscored
    found = position_bias([1, 1, -1, 0, NAN], [1, -1, 1, -1, 1], rng=RNG(0))
    shares = [part.estimate for part in (found.dependent, found.reversed, found.direction)]
    assert shares == pytest.approx([3 / 4, 2 / 4, (0 + 1 - 1 + 0.5) / 4])
    assert (found.dependent.unscored, found.test.exact) == (1, True)


def test_a_judge_that_always_takes_the_first_is_found() -> None:
    found = position_bias(np.ones(30), -np.ones(30), rng=RNG(0))
    assert found.direction.estimate == 1
    assert found.test.p_value < 0.001
    fair = position_bias(np.ones(30), np.ones(30), rng=RNG(0))
    assert (fair.dependent.estimate, fair.test.p_value) == (0, 1)


def test_length_that_gold_rewards_too_is_no_bias() -> None:
    rng = RNG(1)
    length = rng.normal(size=4_000)
    gold = length + rng.normal(size=4_000)
    fair = length_bias(gold + rng.normal(size=4_000), length, gold=gold)
    assert fair.correlation.estimate > 0.4
    assert abs(fair.at_equal_gold.estimate) < 4 / np.sqrt(4_000)
    wordy = length_bias(gold + length + rng.normal(size=4_000), length, gold=gold)
    assert wordy.at_equal_gold.interval[0] > 0.2


def test_partial_correlation_is_that_of_the_residuals() -> None:
    rng = RNG(2)
    z = rng.normal(size=200)
    x, y = z + rng.normal(size=200), z + rng.normal(size=200)
    residual_x, residual_y = (c - np.polyval(np.polyfit(z, c, 1), z) for c in (x, y))
    assert partial_correlation(x, y, z).estimate == pytest.approx(
        pearson(residual_x, residual_y).estimate
    )
    constant = partial_correlation(x, y, np.ones(200))
    assert constant.estimate == pytest.approx(pearson(x, y).estimate)
    assert constant.interval == pytest.approx(pearson(x, y).interval)


def test_the_longer_of_decided_pairs() -> None:
    found = length_bias([1, -1, 1, 0, NAN], [0.5, 0.2, 0.3, 0.1, 1], preference=True)
    assert found.longer.estimate == pytest.approx(2 / 3)
    assert found.longer.unscored == 1
    assert found.gold.reason == "there is no gold"


def test_self_preference_by_hand() -> None:
    # own side A A B, none: the judge says A A A, gold A B B
    found = self_preference([1, 1, 1, 1], [1, 1, -1, 0], [1, -1, -1, 1], rng=RNG(0))
    parts = [part.estimate for part in (found.judged, found.gold, found.excess)]
    assert parts == pytest.approx([(1 + 1 - 1) / 3, (1 - 1 + 1) / 3, 0])
    assert found.test is not None
    assert self_preference([1], [1], rng=RNG(0)).excess.reason == "there is no gold"


def test_self_scores_by_hand() -> None:
    found = self_scores([5, 4, 3, NAN], [1, 0, 0, 1], [4, 4, 3, 1])
    parts = [part.estimate for part in (found.judged, found.gold, found.excess)]
    assert parts == pytest.approx([5 - 3.5, (4 + 1) / 2 - 3.5, 1 - 0])
    assert self_scores([1, 2], [0, 0]).judged.reason == "needs own and others'"


def test_self_consistency_is_agreement_over_repeats() -> None:
    found = self_consistency(np.array([[1, 0, 1, 0], [1, 0, 0, NAN]]))
    assert found.agreement.estimate == pytest.approx(2 / 3)
    assert found.alpha.n == 3


def test_bad_arguments_are_named() -> None:
    with pytest.raises(DataError, match="`own` must be -1, 0 or 1"):
        self_preference([1], [2], rng=RNG(0))
    with pytest.raises(DataError, match="`shown_ab` has 1, `shown_ba` has 2"):
        position_bias([1], [1, 2], rng=RNG(0))
    assert partial_correlation([1, 2], [1, 2], [1, 2]).reason is not None
