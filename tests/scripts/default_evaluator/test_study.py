from __future__ import annotations

from letters import Letters
from scripts.default_evaluator.corpora import Corpora
from scripts.default_evaluator.recipe import Dimension
from scripts.default_evaluator.study import Study, train

from assize.base.conversation import Conversation, Turn
from assize.evaluator._scoring import score


def test_a_study_measures_each_dimension_and_what_is_known_to_be_bad(
    studied: Study, dimensions: list[Dimension]
) -> None:
    assert [one.dimension for one in studied.dimensions] == dimensions
    assert all(held.measure().estimate > 0.5 for held in studied.dimensions[0].held_out)
    assert studied.known_bad["overall"].estimate > 0.9
    assert {held.corpus for held in studied.systems} == {"reliable-eval", "ieval"}
    assert studied.unseen == ()  # there are no other corpora in the folder


def test_what_is_trained_answers_each_dimension(
    corpora: Corpora, letters: Letters, dimensions: list[Dimension]
) -> None:
    evaluator = train(corpora, letters, dimensions)
    said = (Turn("user", "abc"), Turn("assistant", "abd"))
    rows = list(score([Conversation("c", said)], evaluator=evaluator))
    assert [row.question for row in rows] == ["overall", "second"]
    assert evaluator.about["data"]["ieval"]["conversations"] == 120


def test_training_twice_gives_one_signature(
    corpora: Corpora, letters: Letters, dimensions: list[Dimension]
) -> None:
    first, second = (train(corpora, letters, dimensions) for _ in range(2))
    assert first.signature == second.signature
