"""A pair, and what a judge of dialogue acts says about it when a script answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from assize.acts._da import DA
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair, Role, Turn
from assize.base.judgment import Judgment, Order
from assize.judging.judge import JudgeSettings, Task
from assize.judging.method import Method
from assize.judging.prompt_judge import PromptJudge
from assize.models import Request, Scripted

USER: Role = "user"
ASSISTANT: Role = "assistant"
PAIR = Pair(
    "p1",
    (Turn(USER, "Hi, how far is it?"), Turn(ASSISTANT, "An hour."), Turn(USER, "By train?")),
    (Turn(ASSISTANT, "Yes, by train."),),
    (Turn(ASSISTANT, "I like trains. Do you?"),),
)
ACTS = DA.method(load_taxonomy())


def ask(
    script: Callable[[Request], Any],
    pair: Pair = PAIR,
    order: Order = "AB",
    method: Method = ACTS,
    settings: JudgeSettings | None = None,
) -> Sequence[Judgment]:
    judge = PromptJudge(method, Scripted(script), settings or JudgeSettings())
    return asyncio.run(judge.judge(Task(pair, order)))
