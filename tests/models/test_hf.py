"""Calls to a model in this process are answered together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.base.loops import in_loop

from assize.base.errors import TooLongError
from assize.models import Reply, Request, messages
from assize.models.hf import HFModel


class Engine:
    """Notes its batches; what says `long` is too long."""

    fingerprint = "f"

    def __init__(self) -> None:
        self.batches: list[Sequence[Request]] = []

    def answer(self, requests: Sequence[Request]) -> list[Reply | Exception]:
        self.batches.append(requests)
        said = [one.messages[0].text for one in requests]
        return [TooLongError(text) if text == "long" else Reply(text) for text in said]


@in_loop
async def ask(engine: Engine, *texts: str) -> list[Any]:
    model = HFModel("hf", "folder", engine, batch=3)
    asked = [Request(messages(("user", text))) for text in texts]
    found = await asyncio.gather(*(model.ask(one) for one in asked), return_exceptions=True)
    await model.aclose()
    return list(found)


def test_calls_that_wait_together_are_answered_together_up_to_a_batch() -> None:
    engine = Engine()
    assert [reply.text for reply in ask(engine, "a", "b", "c", "d")] == ["a", "b", "c", "d"]
    assert [len(batch) for batch in engine.batches] == [3, 1]


def test_one_that_is_too_long_fails_alone() -> None:
    first, second = ask(Engine(), "long", "b")
    assert isinstance(first, TooLongError)
    assert second.text == "b"


def test_a_reward_model_is_told_apart_from_a_chat_model_of_the_same_weights() -> None:
    model = HFModel("hf-reward", "folder", Engine())
    assert (model.name, model.identity) == ("hf-reward:folder", "hf-reward f")
    assert not model.capabilities
