from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Question
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._heads.linear import Linear, Scaling
from assize.evaluator._heads.scored_question import MonotoneMap, ScoredQuestion

F = 4 * 6 + 23
MAP = MonotoneMap(np.array([-1.0, 1.0]), np.array([0.25, 0.75]))


@pytest.fixture
def small(letters: Any) -> Evaluator:
    weights = {"overall": np.ones(F), "safe": np.zeros(F)}
    head = Linear(Scaling(np.zeros(F), np.ones(F)), weights)
    safe = replace(PREFERENCE, id="safe")
    scored = {
        "overall": ScoredQuestion(Question("overall"), {"turn": MAP}),
        "safe": ScoredQuestion(safe, {"turn": MAP}),
    }
    return Evaluator("small", letters, TurnFeatures(), head, scored)


def test_the_first_question_is_the_main_one_and_pairs_are_asked_for_a_preference(
    small: Evaluator,
) -> None:
    assert small.judge == "evaluator@small"
    assert small.main.question.id == "overall"
    assert [one.id for one in small.questions] == ["overall", "safe", "preference"]


def test_whatever_can_change_a_score_changes_the_signature(small: Evaluator) -> None:
    assert isinstance(small.head, Linear)
    other = Linear(small.head.scaling, {**small.head.weights, "safe": np.ones(F)})
    wider = MonotoneMap(MAP.knots * 2, MAP.levels)
    main = replace(small.main, maps={"turn": wider})
    changed = [
        replace(small, tie=0.1),
        replace(small, head=other),
        replace(small, scored={**small.scored, "overall": main}),
    ]
    assert len({one.signature for one in (small, *changed)}) == 4
    assert replace(small, name="other", about={"x": 1}).signature == small.signature


def test_the_signature_of_the_shipped_evaluator_is_the_published_one() -> None:
    assert load_evaluator().signature == "9e1176c15423"


def test_a_head_for_other_questions_is_refused(small: Evaluator) -> None:
    with pytest.raises(DataError, match="answers overall, safe; its scores are of overall"):
        replace(small, scored={"overall": small.main})
