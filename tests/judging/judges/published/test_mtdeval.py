"""How MTDEval asks a general model: one rating in four bands, or A, B or equal overall."""

from __future__ import annotations

import json

from published_asked import PAIR, TALK, asked, saying

from assize.judging.aspects import ASPECTS
from assize.judging.judges.dimensions import DIMENSIONS
from assize.judging.judges.published.mtdeval import MTDEVAL_PAIRWISE, MTDEVAL_RATING
from assize.judging.judges.rating import RATING


def test_the_rating_comes_before_its_reasons_with_all_dimensions_in_view() -> None:
    with saying(lambda _: json.dumps({"rating": 7, "explanation": "Clear."})) as server:
        ((row,),) = asked(server, "mtdeval-rating", TALK)
        system = server.seen[0].body["messages"][0]["content"]
        schema = server.seen[0].body["response_format"]["json_schema"]["schema"]
    assert (row.question, row.answer, row.score) == ("rating", "7", 7.0)
    assert row.explanation == "Clear."
    assert list(schema["properties"]) == ["rating", "explanation"]
    assert all(name in system for name in ASPECTS)
    assert all(band in system for band in ("1 to 3:", "4 to 6:", "7 to 9:", "10:"))


def test_the_overall_preference_is_the_question_that_dimensions_asks() -> None:
    answer = json.dumps({"Overall": "B", "explanation": "It knows."})
    with saying(lambda _: answer) as server:
        ((row,),) = asked(server, "mtdeval-pairwise", PAIR, order="BA")
        schema = server.seen[0].body["response_format"]["json_schema"]["schema"]
    assert (row.question, row.answer) == ("Overall", "A")
    assert list(schema["properties"]) == ["Overall", "explanation"]
    assert MTDEVAL_PAIRWISE.questions[0] == DIMENSIONS.questions[-1]
    assert MTDEVAL_RATING.questions == RATING.questions
