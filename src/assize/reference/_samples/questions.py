"""Open-ended questions: read from a file, or written by the model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path

from assize.base.errors import DataError
from assize.formats.yaml_nodes import text_in
from assize.judging.calls import Asker, Call, one_line
from assize.judging.method import JSON
from assize.judging.schemas import record, words
from assize.judging.steps import Step, Steps

HOME = Path(__file__).parent.parent / "prompts"
PROMPT = "open-questions"
BATCH = 20  # questions that are asked for at once
_SPARE = 3  # further batches, where questions come that were there already
_LIKELY = "What do you like best about the place where you grew up, and why number {}?"


def given_questions(questions: str | Path | Sequence[str] | None, n: int) -> tuple[str, ...] | None:
    """The first `n` of the questions, in a list or one a line of a file; None for none.

    Raises:
        DataError: a file cannot be read, or holds none.
    """
    if isinstance(questions, str | Path):
        lines = map(str.strip, text_in(str(questions)).splitlines())
        written = [line for line in lines if line]
        if not written:
            raise DataError("holds no question; write one a line", source=str(questions))
        return tuple(written[:n])
    return None if questions is None else tuple(questions)[:n]


async def write_questions(
    asker: Asker, steps: Steps, n: int
) -> tuple[tuple[str, ...], Sequence[Step]]:
    """`n` questions by the model, in batches that are shown what came before; and the steps.

    Fewer where a call fails, or where the model keeps repeating itself.
    """
    known: dict[str, str] = {}  # by what they are in lower case
    taken: list[Step] = []
    for number in range(1, ceil(n / BATCH) + _SPARE + 1):
        if len(known) >= n:
            break
        call = ask_for(min(BATCH, n - len(known)), list(known.values()), number)
        given = [call.values["count"], call.values["earlier"], asker.version(PROMPT)]
        step = await steps.take("questions", f"batch {number}", given, partial(asker.ask, call))
        taken.append(step)
        if step.answer is None:
            break
        for question in step.answer["questions"]:
            known.setdefault(question.casefold(), question)
    return tuple(known.values())[:n], taken


def ask_for(count: int, earlier: Sequence[str], number: int) -> Call:
    """The call for a batch."""

    def check(value: JSON) -> JSON:
        return {"questions": [one_line(question, "question") for question in value["questions"]]}

    first = len(earlier) + 1
    likely = [_LIKELY.format(first + index) for index in range(count)]
    return Call(
        PROMPT,
        {"count": count, "earlier": list(earlier)},
        list(earlier),
        record(questions={"type": "array", "items": words()}),
        check,
        (f"batch {number}", "questions"),
        likely=lambda: json.dumps({"questions": likely}),
    )
