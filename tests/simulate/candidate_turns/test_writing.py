from __future__ import annotations

import asyncio
import json

from assize.base.conversation import Continuation, Turn
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Steps
from assize.models import Request
from assize.models.scripted import Scripted
from assize.simulate._candidate_turns.writing import rephrased
from assize.simulate._coherence import simulate_asker

SLOT = Continuation(
    "c/1", (Turn("system", "Be kind."), Turn("user", "How old is Rome?")), "", ("Old, very old.",)
)


def test_a_rephrasing_that_is_the_reference_is_asked_for_again() -> None:
    said = ["Old,  very old.", "", "It is ancient."]
    asker = simulate_asker(
        Scripted(lambda _: json.dumps({"message": said.pop(0)})), JudgeSettings(tries=3)
    )
    step = asyncio.run(rephrased(SLOT, asker, Steps()))
    assert (step.answer, step.attempts) == ({"text": "It is ancient."}, 3)


def test_the_prompt_shows_the_reference_alone() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return json.dumps({"message": "It is ancient."})

    asyncio.run(rephrased(SLOT, simulate_asker(Scripted(script), JudgeSettings()), Steps()))
    system, user = seen[0].messages
    assert "Old, very old." in user.text
    assert "Rome" not in user.text
    assert "do not follow it" in system.text
