"""What a model's answer looks like: made of the questions."""

from __future__ import annotations

from assize.base.judgment import Question
from assize.judging.own.answer_schema import derived
from assize.judging.reading import read_answer

BINARY = Question("polite", kind="binary", answers=("no", "yes"))
NUMBER = Question("share", range=(0.0, 1.0))
TEXT = Question("why", kind="text")


def test_a_field_a_question_after_the_reasons() -> None:
    made = derived(
        (BINARY, NUMBER, TEXT), {one: one for one in ("polite", "share", "why")}, explains=True
    )
    assert made["required"] == ["explanation", "polite", "share", "why"]
    assert made["properties"]["polite"] == {"type": "string", "enum": ["no", "yes"]}
    assert made["properties"]["share"] == {"type": "number", "minimum": 0, "maximum": 1}
    said = '{"explanation": "e", "polite": "Yes", "share": 0.5, "why": "w"}'
    assert read_answer(said, made)["polite"] == "yes"
    alone = derived((BINARY,), {"polite": "answer"}, explains=False)
    assert alone["required"] == ["answer"]
