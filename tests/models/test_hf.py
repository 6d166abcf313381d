"""Calls to a model in this process are answered together."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from assize.base.errors import TooLongError
from assize.models import Reply, Request, hf, messages
from assize.models.hf import HFModel


class Engine:
    """Notes its batches; what says `long` is too long."""

    fingerprint = "f"

    def __init__(self) -> None:
        self.batches: list[list[Request]] = []

    def answer(self, requests: list[Request]) -> list[Reply | Exception]:
        self.batches.append(requests)
        said = [one.messages[0].text for one in requests]
        return [TooLongError(text) if text == "long" else Reply(text) for text in said]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine()
    monkeypatch.setattr(hf, "_load", lambda *_: made)
    return made


def ask(*texts: str) -> list[Any]:
    async def run() -> list[Any]:
        model = HFModel("folder", batch=3)
        asked = [Request(messages(("user", text))) for text in texts]
        found = await asyncio.gather(*(model.ask(one) for one in asked), return_exceptions=True)
        await model.aclose()
        return list(found)

    return asyncio.run(run())


def test_calls_that_wait_together_are_answered_together_up_to_a_batch(engine: Engine) -> None:
    assert [reply.text for reply in ask("a", "b", "c", "d")] == ["a", "b", "c", "d"]
    assert [len(batch) for batch in engine.batches] == [3, 1]


def test_one_that_is_too_long_fails_alone(engine: Engine) -> None:
    first, second = ask("long", "b")
    assert isinstance(first, TooLongError)
    assert second.text == "b"
