"""`hf-reward:PATH-or-id`: a sequence classifier in this process that scores a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assize.errors import MissingExtra
from assize.models.microbatch import Microbatch, replied
from assize.models.model import Gift, Reply, Request

if TYPE_CHECKING:
    from assize.models.opening import Models
    from assize.models.reward_engine import RewardEngine

LARGEST_BATCH = 16


class HFReward:
    """A reward model of the Hugging Face hub's kind (a folder, or an id); its reply is a number."""

    gives: frozenset[Gift] = frozenset()

    def __init__(self, path: str, *, device: str | None = None) -> None:
        self.name = f"hf-reward:{path}"
        self._engine = _load(path, device)
        self.identity = f"hf-reward {self._engine.fingerprint}"
        self._microbatch: Microbatch[Request, Reply | Exception] = Microbatch(
            self._engine.answer, LARGEST_BATCH
        )

    async def ask(self, request: Request) -> Reply:
        """The reward as text, once its batch is done."""
        return replied(await self._microbatch.ask(request))

    async def aclose(self) -> None:
        """Nothing to free."""


def _load(path: str, device: str | None) -> RewardEngine:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("a reward model", extra="train", missing=str(error.name)) from error
    del torch, transformers
    from assize.models.reward_engine import RewardEngine

    return RewardEngine(path, device=device)


def open_hf_reward(name: str, models: Models) -> HFReward:
    """A reward model in this process."""
    return HFReward(name)
