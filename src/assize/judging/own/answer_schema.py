"""What a model's answer to a prompt file looks like: made of its questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.base.judgment import Question
from assize.judging.schemas import one_of, record, words

EXPLANATION = "explanation"
ALONE = "answer"  # the field of a question that is the only one


def derived(
    questions: tuple[Question, ...], fields: Mapping[str, str], *, explains: bool
) -> dict[str, Any]:
    """The schema of an answer: reasons first, then a field a question.

    Args:
        questions: what is asked.
        fields: of each question, by id.
        explains: whether reasons are asked for.
    """
    asked = {fields[one.id]: _field(one) for one in questions}
    return record(**({EXPLANATION: words()} if explains else {}), **asked)


def _field(one: Question) -> dict[str, Any]:
    if one.kind == "text":
        return words()
    if one.kind == "number" and one.range is not None:
        low, high = map(_whole, one.range)
        return {"type": "number", "minimum": low, "maximum": high}
    return one_of(one.answers)


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number
