from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Question
from assize.evaluator._heads.scored_question import (
    AnswerLine,
    MonotoneMap,
    ScoredQuestion,
    fit_map,
    scored_on,
)

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


def score_map(knots: list[float], levels: list[float]) -> MonotoneMap:
    return MonotoneMap(np.array(knots, float), np.array(levels, float))


MAP = score_map([0, 1], [0.2, 0.9])


def test_a_preference_is_for_pairs_only() -> None:
    for question, pairs_only in ((PREFERENCE, True), (QUESTION, False)):
        assert ScoredQuestion(question, {"turn": MAP}).pairs_only is pairs_only


def test_a_sentence_says_what_a_score_means() -> None:
    rank = ScoredQuestion(QUESTION, {"turn": MAP}, low=0.2)
    assert rank.meaning == (
        "A score of 0.30 is better than 30% of the training data; 0 is worst, 1 is best."
        " low: 0.20 or less."
    )
    graded = replace(rank, answers=AnswerLine(4.0, 1.0, 1.0, 4.0))
    assert graded.meaning == (
        "A score is the expected answer, from 1 (worst) to 4 (best). low: 1.80 or less."
    )
    faults = replace(graded, question=replace(QUESTION, higher="worse"))
    assert faults.meaning == "A score is the expected answer, from 1 (best) to 4 (worst)."


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ScoredQuestion(QUESTION, {}), "has no score map"),
        (lambda: scored_on(QUESTION, {"conversation": {}}, []), "no conversation to fit the"),
        (lambda: scored_on(QUESTION, {"turn": {"c": np.ones(9)}}, []), "the same prediction"),
        (lambda: fit_map(np.zeros(9), np.ones(9)), "two different predictions"),
        *(
            (lambda knots=knots, levels=levels: score_map(knots, levels), "score map")
            for knots, levels in (
                ([0, 1], [0.5, 0.5]),
                ([1, 0], [0.2, 0.8]),
                ([0, 1], [0.0, 0.8]),
                ([0], [0.5]),
            )
        ),
    ],
)
def test_what_tells_nothing_and_a_map_that_does_not_rise_are_refused(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        call()


DRAWS = np.random.default_rng(5)


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
    np.testing.assert_allclose(MAP([-1e-9, 0, 1, 1 + 1e-9]), [0.2, 0.2, 0.9, 0.9], atol=1e-6)


def test_many_equal_predictions_share_a_knot() -> None:
    fitted = fit_map(np.repeat([0.0, 1.0], 50), np.ones(100))
    assert np.all(np.diff(fitted.knots) > 0)
