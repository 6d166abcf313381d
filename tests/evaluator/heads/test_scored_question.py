from __future__ import annotations

import numpy as np
import pytest

from assize.errors import DataError
from assize.evaluator.heads.scored_question import ScoredQuestion, scored_on
from assize.judgment import PREFERENCE, Question

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
    assert ScoredQuestion(PREFERENCE, {}).pairs_only
    assert not ScoredQuestion(QUESTION, {}).pairs_only
