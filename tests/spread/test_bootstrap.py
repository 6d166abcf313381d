"""Replicates draw what they say, with the right chances; intervals follow from their error."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t
from tests.spread.simulated import CHOICE, NAN, look, of_chances, of_scores

from assize.spread import Resampling
from assize.spread.bootstrap import (
    Sample,
    difference_test,
    draw_times,
    estimate_mean,
    estimate_share,
    group_means,
    side_means,
    standard_error,
)
from assize.spread.look import Look
from assize.stats import mean
from assize.stats._intervals import wilson_ends

HOW = Resampling()


def means(one: Look) -> np.ndarray:
    return one.resample(one.means)[:, 0, 0]


def test_with_nothing_drawn_every_replicate_is_what_was_observed() -> None:
    ratings = of_scores(np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN]]))
    assert means(look(ratings)) == pytest.approx(np.full(20, (1.5 + 4 + 3) / 3))
    assert means(look(ratings, apart=True)) == pytest.approx(np.full(20, 2.5))


def test_a_rater_drawn_twice_counts_twice() -> None:
    """Two raters, who say 1 and 4: a replicate's mean is 1, 2.5 or 4, with 1/4, 1/2, 1/4."""
    drawn = means(look(of_scores(np.array([[1.0, 4.0]] * 5)), ["raters"], 4_000))
    shares = [(drawn == value).mean() for value in (1, 2.5, 4)]
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_answers_are_drawn_with_their_chances() -> None:
    """Two raters with P(2) = 0.3 and 0.6: a mean is 1, 1.5, 2 with 0.28, 0.54, 0.18."""
    one = look(of_chances(np.tile([[0.7, 0.3], [0.4, 0.6]], (400, 1, 1))), ["answers"], 50)
    drawn = one.resample(lambda sample: np.asarray(sample.total[0] / sample.count, dtype=float))
    shares = [(drawn == value).mean() for value in (1, 1.5, 2)]
    assert shares == pytest.approx([0.28, 0.54, 0.18], abs=0.015)


def test_answers_to_a_nominal_question_are_drawn_as_columns_of_0_and_1() -> None:
    p = np.tile([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], (400, 1, 1))
    one = look(of_chances(p, CHOICE), ["answers"], 50)
    drawn = one.resample(lambda sample: np.asarray(sample.total, dtype=float))
    assert set(np.unique(drawn)) == {0, 1, 2}
    assert drawn.sum(axis=1).min() == drawn.sum(axis=1).max() == 2
    assert drawn.mean(axis=(0, 2)) == pytest.approx([1.2, 0.3, 0.5], abs=0.02)
    assert one.means(one.observed)[0] == pytest.approx([0.6, 0.15, 0.25])


def test_without_the_source_answers_stay_what_is_expected() -> None:
    one = look(of_chances(np.full((10, 3, 4), 0.25)), ["raters"])
    assert means(one) == pytest.approx(np.full(20, 2.5))


def test_conversations_are_drawn_within_their_group_and_others_stay() -> None:
    code, rng = np.array([0, 2, 0, -1, 2, 0]), np.random.default_rng(0)  # nobody is of group 1
    drawn = np.stack([draw_times(code, rng) for _ in range(2_000)])
    assert (drawn[:, [0, 2, 5]].sum(axis=1) == 3).all()
    assert (drawn[:, [1, 4]].sum(axis=1) == 2).all()
    assert (drawn[:, 3] == 1).all()
    assert drawn.mean(axis=0) == pytest.approx(np.ones(6), abs=0.1)
    assert drawn[:, 0].var() == pytest.approx(3 * (1 / 3) * (2 / 3), rel=0.15)


def test_a_mean_varies_as_raters_and_conversations_do() -> None:
    """Raters' offsets alone give sd(offsets) / sqrt(R), conversations alone sd / sqrt(N)."""
    rng = np.random.default_rng(3)
    quality, offset = rng.uniform(1.5, 3.0, 60), rng.uniform(-0.4, 0.4, 8)
    ratings = of_scores(quality[:, None] + offset)
    raters, conversations = offset.std() / np.sqrt(8), quality.std() / np.sqrt(60)
    for sources, error in (
        (["raters"], raters),
        (["conversations"], conversations),
        (["raters", "conversations"], np.hypot(raters, conversations)),
    ):
        assert means(look(ratings, sources, 2_000)).std() == pytest.approx(error, rel=0.08)


def test_means_of_groups_count_conversations_or_each_rater() -> None:
    """Conversations of sums 6, 2, 5 by 3, 1, 1 raters; the first is drawn twice."""
    sample = Sample(
        np.array([[6.0, 2.0, 5.0, 9.0]]),
        np.array([3.0, 1.0, 1.0, 1.0]),
        np.array([2.0, 1.0, 1.0, 1.0]),
        np.ones(3),
    )
    code = np.array([0, 0, 1, -1])
    assert group_means(sample, code, 3)[:2, 0].tolist() == [(2 * 2 + 2) / 3, 5.0]
    assert np.isnan(group_means(sample, code, 3)[2, 0])
    assert group_means(sample, code, 3, apart=True)[0, 0] == (2 * 6 + 2) / 7


def test_a_side_of_a_pair_is_the_mean_of_its_conversations() -> None:
    one = look(of_scores(np.array([[1.0], [2.0], [4.0], [3.0]])))
    assert side_means(one.observed, np.array([0, 0, -1, 1])).tolist() == [1.5, 3.0]


def test_the_standard_error_makes_up_for_drawing_as_many_as_there_are() -> None:
    """Of 5 values the means of all samples of 5 have 4 / 5 of the variance of a mean."""
    values = np.array([1.0, 2.0, 4.0, 7.0, 11.0])
    drawn = np.random.default_rng(0).choice(values, (40_000, 5)).mean(axis=1)
    assert standard_error(drawn, 5) == pytest.approx(values.std(ddof=1) / 5**0.5, rel=0.02)
    assert math.isnan(standard_error(np.r_[np.full(10, np.nan), np.arange(90.0)], 10))


def test_where_conversations_alone_are_drawn_the_interval_is_students() -> None:
    values = np.random.default_rng(1).normal(2, 1, 12)
    drawn = np.random.default_rng(0).choice(values, (40_000, 12)).mean(axis=1)
    found = estimate_mean(values.mean(), drawn, 12, HOW)
    assert found.interval == pytest.approx(mean(values).interval, rel=0.02)
    assert found.n == 12


def test_the_test_agrees_with_the_interval() -> None:
    drawn = np.random.default_rng(0).normal(0, 1, 4_000)
    edge = float(t.ppf(0.975, 29)) * standard_error(drawn, 30)  # where the interval touches 0
    assert difference_test(edge, drawn, 30, HOW).p_value == pytest.approx(0.05)
    assert estimate_mean(edge, drawn, 30, HOW).interval[0] == pytest.approx(0)
    assert math.isnan(difference_test(0.0, np.zeros(20), 3, HOW).p_value)


def test_a_share_has_wilsons_interval_with_the_replicates_error() -> None:
    """200 answers of 50 conversations, whose share varies as that of 80 independent ones does."""
    drawn = 0.3 + np.random.default_rng(0).normal(0, (0.21 / 80 * 49 / 50) ** 0.5, 40_000)
    critical = float(t.ppf(0.975, 49))
    found = estimate_share(0.3, drawn, 50, HOW, n=50, answers=200)
    assert found.interval == pytest.approx(wilson_ends(0.3, 80, critical), abs=0.002)
    few = estimate_share(0.3, drawn, 50, HOW, n=50, answers=60)  # no more than there are answers
    assert few.interval == pytest.approx(wilson_ends(0.3, 60, critical))
    none = estimate_share(0.0, np.zeros(40), 12, HOW, n=12, answers=36)
    assert none.interval == pytest.approx(wilson_ends(0, 12, float(t.ppf(0.975, 11))))
    assert estimate_share(0.0, np.zeros(40), 1, HOW, n=1, answers=3).reason is not None
