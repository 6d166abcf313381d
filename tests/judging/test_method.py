"""A prompt that is a judge: what its file fills in is all there is to it."""

from __future__ import annotations

from typing import Any

import pytest

from assize.judging.judges.io import IO
from assize.judging.method import Method, as_written
from assize.judging.table import JUDGES, offer

METHODS = [one for one in map(offer, JUDGES) if isinstance(one, Method)]


@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_a_method_s_choice_and_questions_fit_its_schema(method: Method) -> None:
    assert METHODS
    fields: Any = method.schema["properties"]
    assert method.schema["required"] == list(fields)
    if method.choice is not None:
        (question,) = method.questions
        given = {method.words.get(str(one), str(one)) for one in fields[method.choice]["enum"]}
        # a judge that has to choose is asked the same question as one that may call it a tie
        assert given == set(question.answers) - ({"tie"} if method.words else set()), (
            f"{method.name} has choice={method.choice!r}: its schema must offer the question's"
            " answers and no other; leave `choice` out if it may answer NA"
        )


def test_an_example_s_answer_is_written_as_its_schema_asks() -> None:
    from assize.base.conversation import Pair

    pair = Pair("p", (), (), ())
    assert as_written({"answer": "A", "more": 1}, IO, pair) == '{"answer": "A"}'
