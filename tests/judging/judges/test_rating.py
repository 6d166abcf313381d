"""`rating` and `rating-dimensions`: 1 to 10."""

from __future__ import annotations

from assize.judging.judges.rating import NAMES, RATING, RATING_DIMENSIONS, read_all, read_one


def test_a_rating_is_an_answer_and_a_score() -> None:
    (said,) = read_one({"rating": 7})
    assert (said.question, said.answer, said.score) == ("rating", "7", 7.0)
    (question,) = RATING.questions
    assert question.answers == tuple(str(n) for n in range(1, 11))
    assert (question.range, RATING.choice) == ((1, 10), "rating")


def test_each_aspect_is_rated_in_one_call() -> None:
    said = list(read_all({"explanation": "So.", **dict.fromkeys(NAMES, 3)}))
    assert [one.question for one in said] == [one.id for one in RATING_DIMENSIONS.questions]
    assert {one.score for one in said} == {3.0}
    assert said[0].explanation == "So."
