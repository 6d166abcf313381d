"""Judges of single responses, with a script for a model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.judges.geval import HELPFULNESS
from assize.judging.judges.reward import rater
from assize.judging.judges.scores import ScoresJudge
from assize.models import Models, Request, Scripted

HI = (Turn("user", "Hi"),)
APPLE, PEAR = (Turn("assistant", "apple"),), (Turn("assistant", "pear"),)
PAIR = Pair("p1", HI, APPLE, PEAR)
SAME = Pair("s", HI, (Turn("assistant", "apple "),), APPLE)


def context(settings: JudgeSettings | None = None) -> JudgeContext:
    return JudgeContext(Models(), JudgeSettings() if settings is None else settings)


def rewarding(
    script: Callable[[Request], Any], settings: JudgeSettings | None = None
) -> ScoresJudge:
    settings = JudgeSettings() if settings is None else settings
    return ScoresJudge("reward@x", "0", rater(Scripted(script), settings))


def judged(judge: Any, pair: Pair = PAIR) -> Sequence[Judgment]:
    rows: Sequence[Judgment] = asyncio.run(judge.judge(Task(pair)))
    return rows


def geval(script: Callable[[Request], Any], offered: Any = HELPFULNESS) -> ScoresJudge:
    """The judge that asks a script; opened as by name, with the model exchanged."""

    class Bench:
        def open(self, name: str) -> Scripted:
            return Scripted(script, name=name)

    made: ScoresJudge = offered.open("scripted:s", JudgeContext(Bench(), JudgeSettings()))  # type: ignore[arg-type]
    return made


def rating(number: int) -> str:
    return json.dumps({"rating": number})
