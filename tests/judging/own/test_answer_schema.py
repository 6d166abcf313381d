"""What a model's answer looks like: made of the questions, or given in the front matter."""

from __future__ import annotations

from typing import Any

import pytest

from assize.errors import DataError
from assize.formats.yaml_nodes import composed, failing
from assize.judging.own.answer_schema import derived, fields_in, typed
from assize.judging.reading import read_answer
from assize.judgment import Question

BINARY = Question("polite", kind="binary", answers=("no", "yes"))
NUMBER = Question("share", range=(0.0, 1.0))
TEXT = Question("why", kind="text")

GIVEN = """
type: object
properties:
  evidence:
    type: array
    minItems: 1
    items: {type: string, description: a quotation}
  share: {type: number, minimum: 0, maximum: 1.0}
  polite: {enum: [no, yes]}
  level: {type: integer, enum: [1, 2]}
"""


def read(text: str) -> dict[str, Any]:
    node, value = composed(text, "p.jinja")
    return typed(value, (), failing(node, "p.jinja"))


def test_a_field_a_question_after_the_reasons() -> None:
    made = derived((BINARY, NUMBER, TEXT), {one: one for one in ("polite", "share", "why")},
                   explains=True)  # fmt: skip
    assert made["required"] == ["explanation", "polite", "share", "why"]
    assert made["properties"]["polite"] == {"type": "string", "enum": ["no", "yes"]}
    assert made["properties"]["share"] == {"type": "number", "minimum": 0, "maximum": 1}
    said = '{"explanation": "e", "polite": "Yes", "share": 0.5, "why": "w"}'
    assert read_answer(said, made)["polite"] == "yes"
    alone = derived((BINARY,), {"polite": "answer"}, explains=False)
    assert alone["required"] == ["answer"]


def test_a_schema_that_is_given_gets_its_numbers_and_asks_for_all_of_its_fields() -> None:
    made = read(GIVEN)
    assert made["required"] == ["evidence", "share", "polite", "level"]
    assert made["additionalProperties"] is False
    parts = made["properties"]
    assert parts["evidence"]["minItems"] == 1
    assert parts["share"] == {"type": "number", "minimum": 0, "maximum": 1}
    assert parts["polite"] == {"type": "string", "enum": ["no", "yes"]}
    assert parts["level"]["enum"] == [1, 2]


def test_each_question_has_its_field() -> None:
    node, _ = composed("a: b", "p.jinja")
    fail = failing(node, "p.jinja")
    assert fields_in(read(GIVEN), (BINARY, NUMBER), fail) == {"polite": "polite", "share": "share"}
    alone = read("properties: {answer: {enum: [yes, no]}}")
    assert fields_in(alone, (BINARY,), fail) == {"polite": "answer"}
    for text, question, told in (
        ("properties: {other: {type: string}}", BINARY, "'polite' needs a field 'polite' or 'ans"),
        ("properties: {polite: {type: string}}", BINARY, "answers of 'polite' are no, yes"),
        ("properties: {share: {type: number}}", NUMBER, "numbers, minimum 0, maximum 1"),
        ("properties: {why: {type: number}}", TEXT, "answers of 'why' are text"),
        ("{type: array}", TEXT, "the answer is an object"),
    ):
        with pytest.raises(DataError, match=told):
            fields_in(read(text), (question,), fail)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("anyOf: []", "anyOf: no such keyword; known are type, properties"),
        ("type: date", "type: received 'date'; allowed are object"),
        ("type: object", "an object needs `properties`"),
        ("properties: {a: {type: number, minimum: low}}", "minimum: received 'low'; expected a nu"),
        ("properties: {a: {enum: []}}", "enum: expected a list of answers"),
        ("properties: {a: b}", "properties.a: expected a JSON schema"),
        ("properties: {a: {type: integer, enum: [one]}}", "received 'one'; expected a number"),
    ],
)
def test_a_schema_that_cannot_be_is_told_where(text: str, told: str) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    assert told in str(caught.value)
    assert caught.value.line == 1
