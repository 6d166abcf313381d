"""Rewards of a classifier in this process, worked out together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from assize.base.errors import TooLongError
from assize.models import Reply, Request, messages, reward_hf
from assize.models.reward_hf import LARGEST_BATCH, HFReward


class Engine:
    """The reward is the length of what was said; above 9 it is too long."""

    fingerprint = "f"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def answer(self, requests: Sequence[Request]) -> list[Reply | Exception]:
        self.batches.append(len(requests))
        sizes = [one.characters for one in requests]
        return [TooLongError("long") if n > 9 else Reply(str(n)) for n in sizes]


def test_rewards_come_in_batches_and_a_failure_is_the_request_s_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = Engine()
    monkeypatch.setattr(reward_hf, "_load", lambda *_: engine)

    async def run() -> list[object]:
        model = HFReward("folder")
        assert (model.name, model.identity) == ("hf-reward:folder", "hf-reward f")
        asked = [Request(messages(("user", "x" * (n % 11)))) for n in range(LARGEST_BATCH + 4)]
        return list(await asyncio.gather(*map(model.ask, asked), return_exceptions=True))

    found = asyncio.run(run())
    assert engine.batches == [LARGEST_BATCH, 4]
    assert isinstance(found[10], TooLongError)
    assert [one.text for one in found[:3] if isinstance(one, Reply)] == ["0", "1", "2"]
