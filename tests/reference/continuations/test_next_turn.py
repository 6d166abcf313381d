"""What a model says next: what it is sent, and what is no answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from assize.base.conversation import Continuation, Turn
from assize.base.errors import AuthenticationError, ServerError, TooLongError
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Steps
from assize.models import Reply, Request, Scripted
from assize.reference._continuations.next_turn import answered, continued

PLACE = Continuation(
    "c/1", (Turn("system", "Be kind."), Turn("user", "How old is Rome?")), "", ("Old.",)
)


def failing(error: type[Exception]) -> Any:
    def fails(_: Request) -> str:
        raise error("no")

    return fails


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (lambda _: Reply("", "refused"), "refused"),
        (lambda _: " \n", "empty"),
        (lambda _: Reply("So", "length"), "cut_off"),
        (failing(ServerError), "server"),
        (failing(TooLongError), "too_long"),
    ],
)
def test_what_is_no_answer_is_unscored_with_its_reason(script: Any, reason: str) -> None:
    found: Any = asyncio.run(answered(Scripted(script), Request(())))
    assert found.answer is None
    assert found.unscored.reason == reason


def test_a_model_that_cannot_be_asked_at_all_ends_it() -> None:
    with pytest.raises(AuthenticationError):
        asyncio.run(answered(Scripted(failing(AuthenticationError)), Request(())))


def asked(script: Any, place: Continuation = PLACE, sample: int = 0) -> Any:
    settings = JudgeSettings(seed=7)
    return asyncio.run(continued(place, Scripted(script), Steps(), settings, 0.7, sample))


def test_a_model_sees_the_context_alone_and_samples_differ_in_seed_and_number() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return " 2,700 years. "

    steps = [asked(script, sample=sample) for sample in (0, 1)]
    assert [step.answer for step in steps] == [{"text": "2,700 years."}] * 2
    assert [(one.role, one.text) for one in seen[0].messages] == [
        ("system", "Be kind."),
        ("user", "How old is Rome?"),
    ]
    assert (seen[0].temperature, seen[0].schema) == (0.7, None)
    assert [(one.seed, one.sample) for one in seen] == [(7, 0), (8, 1)]
    assert steps[0].key != steps[1].key


def test_a_tool_s_turn_is_in_no_message() -> None:
    tool = Continuation("c/2", (Turn("user", "x"), Turn("tool", "y")), "", ("z",))
    step = asked(lambda _: "never", tool)
    assert step.unscored.reason == "tool"
