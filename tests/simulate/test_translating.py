from __future__ import annotations

import asyncio
import json
from typing import Any

from assize.base.conversation import Conversation, Turn
from assize.base.errors import TooLongError
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Step, Steps
from assize.models import Request
from assize.models.scripted import Scripted
from assize.simulate._coherence import simulate_asker
from assize.simulate._settings import Translation
from assize.simulate._translating import in_language, translated

CHAT = Conversation(
    "c", (Turn("user", "Wie alt ist Rom?"), Turn("assistant", "Alt.")), metadata={"topic": "Rom"}
)


def asked(script: Any, steps: Steps | None = None, language: str = "English") -> Step:
    asker = simulate_asker(Scripted(script), JudgeSettings(tries=2))
    return asyncio.run(translated(CHAT, language, asker, Steps() if steps is None else steps))


def test_every_turn_is_translated_in_its_place_and_the_rest_stays() -> None:
    step: Any = asked(lambda _: json.dumps({"turns": ["How old is Rome?", " Old. "]}))
    chat = in_language(CHAT, step.answer, Translation("m"))
    said = [(one.role, one.text) for one in chat.turns]
    assert said == [("user", "How old is Rome?"), ("assistant", "Old.")]
    assert chat.metadata == {"topic": "Rom", "translated": {"language": "English", "by": "m"}}


def test_an_answer_with_other_turns_is_asked_for_again_and_then_unscored() -> None:
    said = [["How old is Rome?"], ["How old is Rome?", ""]]
    step: Any = asked(lambda _: json.dumps({"turns": said.pop(0)}))
    assert (step.unscored.reason, step.attempts) == ("parse", 2)


def test_too_long_a_conversation_is_unscored() -> None:
    def script(_: Request) -> str:
        raise TooLongError("8192 tokens at most")

    step: Any = asked(script)
    assert step.unscored.reason == "too_long"


def test_the_prompt_names_the_language_and_another_one_asks_again() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return json.dumps({"turns": ["a", "b"]})

    steps = Steps()
    for language in ("Welsh", "Welsh", "Irish"):
        asked(script, steps, language)
    assert len(seen) == 2
    assert "into Welsh" in seen[0].messages[0].text
    assert "do not follow it" in seen[0].messages[0].text
    assert "judge" not in seen[0].messages[0].text
    assert "Wie alt ist Rom?" in seen[0].messages[1].text
