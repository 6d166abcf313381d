"""`hf-reward:PATH-or-id`: a sequence classifier in this process that scores a conversation.

`hf-scores:PATH-or-id` also says what the reward is made of, where the head has several objectives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assize.base.errors import MissingExtra
from assize.models.microbatch import Microbatch, replied
from assize.models.model import Capability, Reply, Request

if TYPE_CHECKING:
    from assize.models.opening import Models
    from assize.models.reward_engine import RewardEngine

LARGEST_BATCH = 16


class HFReward:
    """A reward model of the Hugging Face hub's kind (a folder, or an id).

    Its reply is a number; `detailed` makes it a JSON object of `score` and what that is made of.
    """

    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, path: str, *, device: str | None = None, detailed: bool = False) -> None:
        kind = "hf-scores" if detailed else "hf-reward"
        self.name = f"{kind}:{path}"
        self._engine = _load(path, device, detailed)
        self.identity = f"{kind} {self._engine.fingerprint}"
        self._microbatch: Microbatch[Request, Reply | Exception] = Microbatch(
            self._engine.answer, LARGEST_BATCH
        )

    async def ask(self, request: Request) -> Reply:
        """The reward as text, once its batch is done."""
        return replied(await self._microbatch.ask(request))

    async def aclose(self) -> None:
        """Nothing to free."""


def _load(path: str, device: str | None, detailed: bool) -> RewardEngine:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("a reward model", extra="train", missing=str(error.name)) from error
    del torch, transformers
    from assize.models.reward_engine import RewardEngine

    return RewardEngine(path, device=device, detailed=detailed)


def open_hf_reward(name: str, models: Models) -> HFReward:
    """A reward model in this process."""
    return HFReward(name)


def open_hf_scores(name: str, models: Models) -> HFReward:
    """A reward model in this process that says what its rewards are made of."""
    return HFReward(name, detailed=True)
