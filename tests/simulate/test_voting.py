from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from typing import Any

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment
from assize.judging.judge import JudgeContext, JudgeSettings
from assize.judging.prompt_judge import PromptJudge
from assize.judging.steps import Steps
from assize.judging.table import open_judges
from assize.models import Models, ModelSettings, Request
from assize.models.scripted import Scripted
from assize.simulate._voting import votes_on

PAIR = Pair(
    "p",
    (),
    (Turn("user", "Hi"), Turn("assistant", "first")),
    (Turn("user", "Hi"), Turn("assistant", "second")),
    True,
)


def votes(script: Any, steps: Steps | None = None, judge: str = "io") -> list[Judgment]:
    async def asked() -> list[Judgment]:
        async with Models(ModelSettings(use_cache=False), note=lambda _: None) as models:
            context = JudgeContext(models, JudgeSettings(tries=1))
            (one,) = open_judges([f"{judge}@scripted:first"], context)
            assert isinstance(one, PromptJudge)
            scripted = replace(one, model=Scripted(script))
            return await votes_on(PAIR, [scripted], Steps() if steps is None else steps)

    return asyncio.run(asked())


def first_shown(request: Request) -> str:
    properties = (request.schema or {}).get("properties", {})
    return json.dumps({name: "A" if "enum" in one else "So." for name, one in properties.items()})


def test_a_judge_of_the_first_shown_votes_both_ways() -> None:
    rows = votes(first_shown)
    assert [(row.order, row.answer, row.kind) for row in rows] == [
        ("AB", "A", "model"),
        ("BA", "B", "model"),
    ]
    assert all(row.signature for row in rows)
    # one call may answer several questions
    several = votes(first_shown, judge="dimensions")
    assert Counter(row.order for row in several) == {"AB": 11, "BA": 11}
