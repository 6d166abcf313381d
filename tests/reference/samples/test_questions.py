"""Open-ended questions: given, or written in batches."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from assize.base.errors import DataError
from assize.judging.calls import Asker
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Steps
from assize.models import Reply, Request, Scripted
from assize.reference._samples.questions import (
    BATCH,
    HOME,
    given_questions,
    write_questions,
)


def written(script: object, n: int) -> tuple[tuple[str, ...], list[str | None]]:
    asker = Asker(Scripted(script), JudgeSettings(tries=1), HOME, "multiplicity")  # type: ignore[arg-type]
    found, steps = asyncio.run(write_questions(asker, Steps(), n))
    return found, [None if one.unscored is None else one.unscored.reason for one in steps]


def test_questions_come_in_batches_that_see_the_earlier_ones() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        first = sum(request.messages[-1].text.count(f"Why {n}?") for n in range(1, 100))
        return json.dumps({"questions": [f"Why {first + n}?" for n in range(1, BATCH + 1)]})

    found, _ = written(script, BATCH + 5)
    assert found == tuple(f"Why {n}?" for n in range(1, BATCH + 6))
    assert len(seen) == 2
    assert "Write 5 more" in seen[1].messages[-1].text
    assert f"[{seen[1].boundary}] question 1:\nWhy 1?" in seen[1].messages[-1].text


def test_a_model_that_repeats_itself_is_not_asked_for_ever() -> None:
    found, reasons = written(lambda _: '{"questions": ["Why?", "WHY?"]}', 3)
    assert found == ("Why?",)
    assert len(reasons) == 4  # one batch and three to spare


def test_what_fails_ends_the_writing_and_has_a_reason() -> None:
    assert written(lambda _: Reply("", "refused"), 3) == ((), ["refused"])
    assert written(lambda _: '{"questions": [""]}', 3) == ((), ["parse"])


def test_given_questions_are_read_from_a_file_or_a_list(tmp_path: Path) -> None:
    place = tmp_path / "questions.txt"
    place.write_text("\ufeffWhy?\n\n What for? \nWhere?\n", encoding="utf-8")
    assert given_questions(place, 2) == ("Why?", "What for?")
    assert given_questions(["Why?"], 2) == ("Why?",)
    assert given_questions(None, 2) is None
    place.write_text("\n")
    with pytest.raises(DataError, match="holds no question; write one a line"):
        given_questions(str(place), 2)
