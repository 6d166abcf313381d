from __future__ import annotations

import numpy as np
import pytest

from assize.stats._reliability import orientation


def test_odds_by_hand() -> None:
    # one judge always right: 19 to 1. Two at 0.75: log 19 * (0.5 + 0.5), the same
    one = orientation.log_odds(np.array([1.0]), np.array([1.0]), np.ones(1))
    two = orientation.log_odds(np.full(2, 0.75), np.full(2, 0.75), np.ones(2))
    assert np.exp([one, two]) == pytest.approx([19, 19])


def test_the_flip_turns_the_odds_around() -> None:
    alpha, beta, weight = np.array([0.9, 0.4]), np.array([0.7, 0.3]), np.array([1.0, 0.5])
    one = orientation.log_odds(alpha, beta, weight)
    assert orientation.log_odds(1 - beta, 1 - alpha, weight) == pytest.approx(-one)


def test_judges_at_chance_say_nothing_however_many() -> None:
    half = np.full((5, 100), 0.5)
    assert orientation.probability(half, half, np.ones(100), 0.0) == pytest.approx(0.5)


def test_known_labels_add_what_the_votes_say_of_them() -> None:
    # three A pairs at +2, one B pair at +1: (3 * 2 - 1) / 8; the bound is log(0.8125 / 0.1875)
    three, one = np.array([3.0, 0.0]), np.array([0.0, 1.0])
    known = orientation.of_labels(np.array([2.0, 1.0]), three, one, 8.0)
    assert known == pytest.approx(5 / 8)
    half = np.full((1, 1), 0.5)
    sure = orientation.probability(half, half, np.ones(1), known)
    assert sure == pytest.approx(1 / (1 + np.exp(-5 / 8)))


def test_labels_count_for_no_more_than_the_share_that_the_votes_name_shows() -> None:
    # votes that are sure name 3 of 4: under a uniform prior P(share > 1/2) is the chance of at
    # most 3 heads in 5 throws, 26 / 32 = 0.8125
    votes, a = np.array([40.0, -10.0]), np.array([3.0, 1.0])
    bound = np.log(0.8125 / 0.1875)
    assert orientation.of_labels(votes, a, np.zeros(2), 1.0) == pytest.approx(bound)
    assert orientation.of_labels(-votes, a, np.zeros(2), 1.0) == pytest.approx(-bound)
    many = orientation.of_labels(np.array([1.0]), np.array([5000.0]), np.zeros(1), 1.0)
    assert 700 < many < 710


def test_a_majority_below_chance_divides_the_judges() -> None:
    assert orientation.divided(np.array([0.95, 0.45, 0.48]), np.array([0.95, 0.45, 0.48]))
    assert not orientation.divided(np.array([0.95, 0.6, 0.3]), np.array([0.95, 0.6, 0.3]))
