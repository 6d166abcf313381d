"""Schemas in the strict form that every provider takes."""

from __future__ import annotations

from assize.judging.schemas import one_of, preference, record, scale, words


def test_a_record_requires_its_fields_in_their_order_and_no_others() -> None:
    schema = record(explanation=words(), answer=preference())
    assert schema["required"] == list(schema["properties"]) == ["explanation", "answer"]
    assert schema["additionalProperties"] is False


def test_answers_are_one_of_those_given() -> None:
    assert preference() == one_of(("A", "B", "tie"))
    assert scale(1, 3) == {"type": "integer", "enum": [1, 2, 3]}
    assert words() == {"type": "string"}
