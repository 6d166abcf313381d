"""`rating` and `rating-dimensions`: numbers from 1 to 10."""

from __future__ import annotations

from assize.judging.rating import NAMES, RATING, RATING_DIMENSIONS


def test_a_rating_is_an_answer_and_a_score() -> None:
    (said,) = RATING.read({"rating": 7})
    assert (said.answer, said.score) == ("7", 7.0)
    (question,) = RATING.questions
    assert question.answers == tuple(str(number) for number in range(1, 11))
    assert question.range == (1, 10)


def test_each_aspect_has_a_question_that_no_preference_has() -> None:
    value = dict.fromkeys(NAMES, 3) | {"explanation": "So."}
    said = list(RATING_DIMENSIONS.read(value))
    assert [one.question for one in said] == [f"rating:{name}" for name in NAMES]
    assert [one.explanation for one in said] == ["So.", *[None] * 10]
    assert [one.id for one in RATING_DIMENSIONS.questions] == [one.question for one in said]
