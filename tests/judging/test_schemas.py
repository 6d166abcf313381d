"""Schemas in the form that strict endpoints take."""

from __future__ import annotations

from assize.judging.schemas import one_of, preference, record, scale, words


def test_every_field_is_required_and_no_other_allowed() -> None:
    made = record(why=words(), answer=preference(), rating=scale(1, 3))
    assert made["required"] == list(made["properties"]) == ["why", "answer", "rating"]
    assert made["additionalProperties"] is False
    assert made["properties"]["answer"] == one_of(("A", "B", "tie"))


def test_a_scale_is_whole_numbers_with_both_ends() -> None:
    assert scale(1, 3) == {"type": "integer", "enum": [1, 2, 3]}
