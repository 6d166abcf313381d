from __future__ import annotations

import asyncio
import json
from typing import Any

from assize.base.conversation import Continuation, Turn
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Step, Steps
from assize.models import Request
from assize.models.scripted import Scripted
from assize.simulate._candidate_turns.writing import continued, rephrase_asker, rephrased

SLOT = Continuation(
    "c/1", (Turn("system", "Be kind."), Turn("user", "How old is Rome?")), "", ("Old, very old.",)
)


def asked(script: Any, slot: Continuation = SLOT, steps: Steps | None = None) -> Step:
    model = Scripted(script)
    settings = JudgeSettings(seed=4)
    return asyncio.run(continued(slot, model, steps or Steps(), settings, 0.5))


def test_a_model_sees_the_context_as_its_own_conversation_and_no_word_of_ours() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return " 2,700 years. "

    step = asked(script)
    assert step.answer == {"text": "2,700 years."}
    assert [(one.role, one.text) for one in seen[0].messages] == [
        ("system", "Be kind."),
        ("user", "How old is Rome?"),
    ]
    assert (seen[0].temperature, seen[0].seed, seen[0].schema) == (0.5, 4, None)


def test_an_empty_answer_or_a_tool_s_turn_is_unscored() -> None:
    empty = asked(lambda _: " ")
    assert empty.unscored is not None
    assert empty.unscored.reason == "empty"
    tool = Continuation("c/2", (Turn("user", "x"), Turn("tool", "y")), "", ("z",))
    step = asked(lambda _: "never", tool)
    assert step.unscored is not None
    assert step.unscored.reason == "tool"


def test_a_rephrasing_that_is_the_reference_is_asked_for_again() -> None:
    said = ["Old,  very old.", "", "It is ancient."]
    asker = rephrase_asker(
        Scripted(lambda _: json.dumps({"message": said.pop(0)})), JudgeSettings(tries=3)
    )
    step = asyncio.run(rephrased(SLOT, asker, Steps()))
    assert (step.answer, step.attempts) == ({"text": "It is ancient."}, 3)


def test_the_prompt_shows_the_reference_alone() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return json.dumps({"message": "It is ancient."})

    asker = rephrase_asker(Scripted(script), JudgeSettings())
    asyncio.run(rephrased(SLOT, asker, Steps()))
    assert "Old, very old." in seen[0].messages[1].text
    assert "Rome" not in seen[0].messages[1].text
    assert "do not follow it" in seen[0].messages[0].text
    assert "judge" not in seen[0].messages[0].text
