"""What a judge's file fills in, and what a method does where the file says nothing."""

from __future__ import annotations

import json

import pytest

from assize.conversation import Pair, Turn
from assize.errors import AnswerError
from assize.judging.explained import EXPLAINED
from assize.judging.io import IO
from assize.judging.method import as_written, follows_schema

PAIR = Pair("p", (), (Turn("assistant", "Yes."),), (Turn("assistant", "No."),))


def test_an_answer_is_what_follows_the_schema() -> None:
    assert follows_schema('{"answer": "B"}', IO, PAIR, ()) == {"answer": "B"}
    with pytest.raises(AnswerError):
        follows_schema('{"answer": "C"}', IO, PAIR, ())


def test_an_example_is_written_in_the_order_of_the_schemas_fields() -> None:
    answer = {"answer": "A", "explanation": "It is short.", "note": "left out"}
    written = as_written(answer, EXPLAINED, PAIR)
    assert list(json.loads(written)) == ["explanation", "answer"]
