from __future__ import annotations

import math

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.evaluator._heads.rating_scale import RatingScale, fit_scale
from assize.stats._arrays import FloatArray

RNG = np.random.default_rng(0)
SCORES = RNG.uniform(size=400)
RATINGS = np.clip(np.round(1 + 4 * SCORES**2 + RNG.normal(0, 0.6, 400)), 1, 5)


def test_a_scale_by_hand() -> None:
    # Isotonic regression of 1, 3, 2 pools the last two at 2.5 (each score ten times).
    scores, ratings = np.repeat([0.2, 0.5, 0.8], 10), np.repeat([1.0, 3.0, 2.0], 10)
    scale = fit_scale(scores, ratings, ends=(1, 5), rng=np.random.default_rng(0)).scale
    assert scale([0.2, 0.35, 0.5, 0.8]).tolist() == pytest.approx([1, 1.75, 2.5, 2.5])
    assert (scale.low, scale.high, scale.n) == (1, 5, 30)


def test_a_planted_curve_is_recovered_with_its_error_and_coverage() -> None:
    fit = fit_scale(SCORES, RATINGS, ends=(1, 5), rng=np.random.default_rng(1))
    fresh = np.random.default_rng(2)
    new = fresh.uniform(size=5000)
    given_ = np.clip(np.round(1 + 4 * new**2 + fresh.normal(0, 0.6, 5000)), 1, 5)
    errors = np.abs(fit.scale(new) - given_)
    assert errors.mean() == pytest.approx(fit.scale.error, abs=0.05)
    assert np.mean(errors <= fit.scale.half) == pytest.approx(0.9, abs=0.04)
    assert fit.scale.coverage == pytest.approx(0.9, abs=0.04)
    assert fit.error.interval[1] < fit.constant.interval[0]


def test_a_score_outside_the_labels_is_said_and_intervals_end_with_the_scale() -> None:
    scale = fit_scale(0.2 + SCORES / 2, RATINGS, ends=(1, 5), rng=np.random.default_rng(1)).scale
    lowest, outside, inside = (scale.rate(score) for score in (0.0, 0.1, 0.45))
    assert outside["beyond"]
    assert "beyond" not in inside
    low, high = inside["interval"]
    assert low < inside["rating"] < high
    assert lowest["interval"][0] == 1
    assert np.isnan(scale([np.nan])[0])


@pytest.mark.parametrize(
    ("scores", "ratings", "message"),
    [
        (SCORES[:19], RATINGS[:19], r"19 labels .* needs 20; rate more"),
        (SCORES[:30], np.full(30, 3.0), "all 30 ratings are 3"),
        (np.full(30, 0.5), RATINGS[:30], "one score"),
        (SCORES, np.where(np.arange(400) < 390, np.nan, RATINGS), "10 labels"),
    ],
)
def test_few_constant_or_scoreless_labels_say_what_to_do(
    scores: FloatArray, ratings: FloatArray, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        fit_scale(scores, ratings, rng=np.random.default_rng(0))


def test_clusters_stay_together() -> None:
    # Ten copies of each label: rows by themselves would be held out beside their copies.
    rows = np.repeat(np.arange(30), 10)
    alone, together = (
        fit_scale(SCORES[rows], RATINGS[rows], clusters=own, rng=np.random.default_rng(0)).scale
        for own in (None, rows)
    )
    assert together.error > alone.error


@pytest.mark.parametrize(
    ("knots", "levels", "said"),
    [
        ([0.5, 0.2], [1, 2], "must rise"),
        ([0.2, 0.5], [2, 1], "not fall"),
        ([0.2, 0.5], [1, 9], "outside"),
        ([], [], "a knot or more"),
    ],
)
def test_a_scale_that_is_none_is_refused(
    knots: list[float], levels: list[float], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        RatingScale(np.array(knots), np.array(levels), 1, 5, 30, 0.5, 0.7, math.inf, 0.9)
