from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import TooLongError
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Step, Steps
from assize.models import Request
from assize.models.scripted import Scripted
from assize.simulate._coherence import ASPECTS, coherence, is_coherent, simulate_asker

CHAT = Conversation("c", (Turn("user", "How old is Rome?"), Turn("assistant", "Old.")))


def asked(script: Any, steps: Steps | None = None, chat: Conversation = CHAT) -> Step:
    asker = simulate_asker(Scripted(script), JudgeSettings(tries=2))
    return asyncio.run(coherence(chat, asker, Steps() if steps is None else steps))


def said(**no: str) -> str:
    return json.dumps({"explanation": "So.", **dict.fromkeys(ASPECTS, "yes"), **no})


@pytest.mark.parametrize("aspect", [None, *ASPECTS])
def test_all_three_must_hold(aspect: str | None) -> None:
    step = asked(lambda _: said(**({aspect: "no"} if aspect else {})))
    assert is_coherent(step) is (aspect is None)


def test_the_prompt_shows_the_conversation_once_between_boundaries() -> None:
    seen: list[Any] = []

    def script(request: Request) -> str:
        seen.append(request)
        return said()

    steps = Steps()
    for chat in (CHAT, CHAT, Conversation("c", CHAT.turns[:1])):
        asked(script, steps, chat)
    assert len(seen) == 2  # once more where the conversation changed
    system, user = seen[0].messages
    assert "How old is Rome?" in user.text
    assert seen[0].boundary in user.text
    assert all(f'"{one}"' in system.text for one in ASPECTS)


def too_long(_: Request) -> str:
    raise TooLongError("8192 tokens at most")


@pytest.mark.parametrize(
    ("script", "reason"), [(lambda _: "Maybe.", "parse"), (too_long, "too_long")]
)
def test_what_cannot_be_read_or_is_too_long_is_unscored(script: Any, reason: str) -> None:
    step: Any = asked(script)
    assert step.unscored.reason == reason
    assert not is_coherent(step)
