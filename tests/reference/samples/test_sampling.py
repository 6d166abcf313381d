"""Samples: what is sent, and what is no sample."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from assize.base.errors import AuthenticationError, ServerError, TooLongError
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Steps
from assize.models import Reply, Request, Scripted
from assize.reference._samples.places import questions_as_places
from assize.reference._samples.sampling import Sampler, sampled


def failing(error: type[Exception]) -> Any:
    def fails(_: Request) -> str:
        raise error("no")

    return fails


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (lambda _: Reply("", "refused"), "refused"),
        (lambda _: " \n", "empty"),
        (failing(ServerError), "server"),
        (failing(TooLongError), "too_long"),
    ],
)
def test_what_is_no_sample_is_unscored_with_its_reason(script: Any, reason: str) -> None:
    found = asyncio.run(sampled(Scripted(script), Request(())))
    assert found.answer is None
    assert found.unscored is not None
    assert found.unscored.reason == reason


def test_a_model_that_cannot_be_asked_at_all_ends_it() -> None:
    with pytest.raises(AuthenticationError):
        asyncio.run(sampled(Scripted(failing(AuthenticationError)), Request(())))


def test_a_sample_is_sent_the_context_alone_and_both_differ_in_seed_and_number() -> None:
    model = Scripted(lambda _: "So.")
    sampler = Sampler(model, None, Steps(), JudgeSettings(seed=7), 0.7)  # type: ignore[arg-type]
    (place,) = questions_as_places(["Why?"])
    first, second = (sampler.request(place, number) for number in (0, 1))
    assert [(one.role, one.text) for one in first.messages] == [("user", "Why?")]
    assert (first.temperature, first.schema) == (0.7, None)
    assert (first.seed, second.seed) == (7, 8)
    assert (first.sample, second.sample) == (0, 1)
