from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Question
from assize.evaluator._features.views import Level
from assize.evaluator._heads.scored_question import MonotoneMap, ScoredQuestion, fit_map, scored_on

QUESTION = Question("overall", extra={"levels": [0.2, 0.7]})
RNG = np.random.default_rng(0)
RAW = 3 * RNG.normal(size=2000)


def test_scores_are_ranks_of_raw_numbers_over_their_spread() -> None:
    scored, spread = scored_on(QUESTION, {"conversation": {"c": RAW}}, ["c"])
    assert spread == pytest.approx(RAW.std())
    ranks = scored.maps["conversation"](np.quantile(RAW, [0.1, 0.5, 0.9]) / spread)
    assert ranks.tolist() == pytest.approx([0.1, 0.5, 0.9], abs=0.01)
    assert (scored.low, scored.high, scored.trained_on) == (0.2, 0.7, ("c",))


def test_corpora_count_alike_whatever_their_size() -> None:
    raw = {"large": RAW, "small": RAW[:50] + 100}
    scored, spread = scored_on(QUESTION, {"conversation": raw}, list(raw))
    assert scored.maps["conversation"]([50 / spread])[0] == pytest.approx(0.5, abs=0.01)


def test_the_spread_is_that_of_conversations_or_else_of_turns() -> None:
    turns = {"c": RAW * 2}
    _, spread = scored_on(QUESTION, {"conversation": {"c": RAW}, "turn": turns}, [])
    assert spread == pytest.approx(RAW.std())
    scored, spread = scored_on(QUESTION, {"conversation": {"c": RAW[:0]}, "turn": turns}, [])
    assert spread == pytest.approx(2 * RAW.std())
    assert list(scored.maps) == ["turn"]


def test_a_population_that_tells_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="no conversation to fit the score map on"):
        scored_on(QUESTION, {"conversation": {}}, [])
    with pytest.raises(DataError, match="the same prediction"):
        scored_on(QUESTION, {"conversation": {"c": np.ones(9)}}, [])


def test_a_preference_is_for_pairs_only() -> None:
    maps: Mapping[Level, MonotoneMap] = {
        "turn": MonotoneMap(np.array([0.0, 1.0]), np.array([0.25, 0.75]))
    }
    assert ScoredQuestion(PREFERENCE, maps).pairs_only
    assert not ScoredQuestion(QUESTION, maps).pairs_only
    with pytest.raises(DataError, match="has no score map"):
        ScoredQuestion(QUESTION, {})


DRAWS = np.random.default_rng(5)


def test_the_score_is_the_share_below() -> None:
    fitted = fit_map(np.arange(1000.0), np.ones(1000))
    np.testing.assert_allclose(fitted([99.5, 499.5, 899.5]), [0.1, 0.5, 0.9], atol=1e-3)


def test_corpora_of_different_size_can_count_alike() -> None:
    # nine values at about 0 and one at about 10, the one counting as much as the nine
    raw = np.concatenate([np.linspace(-0.1, 0.1, 900), np.linspace(9.9, 10.1, 100)])
    fitted = fit_map(raw, np.concatenate([np.full(900, 1 / 900), np.full(100, 1 / 100)]))
    assert fitted([5.0])[0] == pytest.approx(0.5, abs=0.01)


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=30, unique=True))
def test_the_map_never_falls_and_stays_in_the_unit_interval(values: list[float]) -> None:
    fitted = fit_map(DRAWS.normal(size=300), np.ones(300))
    scores = fitted(np.sort(values))
    assert np.all(np.diff(scores) >= 0)
    assert np.all((scores >= 0) & (scores <= 1))


def test_different_numbers_beyond_the_knots_keep_different_scores() -> None:
    fitted = fit_map(DRAWS.normal(size=300), np.ones(300))
    outside = np.concatenate([np.linspace(-8, -3, 20), np.linspace(3, 8, 20)])
    assert np.all(np.diff(fitted(outside)) > 0)


def test_the_map_is_continuous_at_its_ends() -> None:
    fitted = MonotoneMap(np.array([0.0, 1.0]), np.array([0.2, 0.9]))
    np.testing.assert_allclose(fitted([-1e-9, 0, 1, 1 + 1e-9]), [0.2, 0.2, 0.9, 0.9], atol=1e-6)


def test_many_equal_predictions_share_a_knot() -> None:
    fitted = fit_map(np.repeat([0.0, 1.0], 50), np.ones(100))
    assert np.all(np.diff(fitted.knots) > 0)


def test_a_single_prediction_teaches_no_scale() -> None:
    with pytest.raises(DataError, match="two different predictions"):
        fit_map(np.zeros(9), np.ones(9))


@pytest.mark.parametrize(
    ("knots", "levels"),
    [([0, 1], [0.5, 0.5]), ([1, 0], [0.2, 0.8]), ([0, 1], [0.0, 0.8]), ([0], [0.5])],
)
def test_a_map_that_does_not_rise_is_refused(knots: list[float], levels: list[float]) -> None:
    with pytest.raises(DataError, match="score map"):
        MonotoneMap(np.array(knots, float), np.array(levels, float))
