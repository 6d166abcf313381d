"""`dimensions`: eleven answers in one call."""

from __future__ import annotations

from assize.judging.judges.dimensions import DIMENSIONS, NAMES, read


def test_each_aspect_and_the_whole_is_a_question_and_reasons_stand_on_the_first() -> None:
    value = {"explanation": "Well.", **dict.fromkeys(NAMES, "tie")} | {"Safety": "B"}
    said = list(read(value))
    assert [one.question for one in said] == [one.id for one in DIMENSIONS.questions]
    assert [one.explanation for one in said] == ["Well."] + [None] * 10
    assert [one.answer for one in said if one.question == "Safety"] == ["B"]
