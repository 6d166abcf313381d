from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from tests.judging.conftest import Recorded, why_unscored

from assize.base.conversation import Pair, Turn
from assize.base.errors import AuthenticationError, ServerError
from assize.base.judgment import Judgment
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.judge_step import judge_as_step
from assize.judging.steps import Steps
from assize.judging.table import open_judges
from assize.models import Models, ModelSettings, Request
from assize.models.scripted import Scripted

PAIR = Pair("p", (), (Turn("assistant", "first"),), (Turn("assistant", "second"),), True)


def votes(script: Any, steps: Steps, judge: str = "io") -> list[Judgment]:
    async def asked() -> list[Judgment]:
        async with Models(ModelSettings(use_cache=False), note=lambda _: None) as models:
            context = JudgeContext(models, JudgeSettings(tries=1))
            (one,) = open_judges([f"{judge}@scripted:first"], context)
            scripted: Any = replace(one, model=Scripted(script))  # type: ignore[type-var]
            return list(await judge_as_step(scripted, Task(PAIR, "AB"), steps, "vote"))

    return asyncio.run(asked())


def first_shown(request: Request) -> str:
    properties = (request.schema or {}).get("properties", {})
    return json.dumps({name: "A" if "enum" in one else "So." for name, one in properties.items()})


def test_a_failure_is_unscored_on_every_question() -> None:
    for answer, reason in ((ServerError("down"), "server"), ("Well.", "parse")):
        steps = Steps()
        rows = votes(Recorded(answer), steps, "dimensions")
        assert len(rows) == 11
        assert {why_unscored(row) for row in rows} == {reason}
        assert steps.unscored("vote") == {reason: 1}


def test_a_wrong_key_ends_the_run() -> None:
    with pytest.raises(AuthenticationError):
        votes(Recorded(AuthenticationError("no such key")), Steps())


def test_a_vote_is_asked_for_once() -> None:
    script, steps = Recorded(first_shown), Steps()
    (first,), (again,) = votes(script, steps), votes(script, steps)
    assert first == again
    assert (first.answer, first.kind, first.order) == ("A", "model", "AB")
    assert first.signature
    assert len(script.seen) == 1
