"""Hugging Face models in this process, whose calls that wait together are answered together.

hf:PATH-or-id           a chat model
hf-reward:PATH-or-id    a sequence classifier that scores a conversation
hf-scores:PATH-or-id    the same, with what the reward is made of where the head has several parts
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from assize.base.errors import MissingExtra
from assize.models.microbatch import Microbatch, replied
from assize.models.model import Capability, Reply, Request

if TYPE_CHECKING:
    from assize.models.opening import Models

LARGEST_BATCH = 16


class Engine(Protocol):
    """A loaded model; `fingerprint` tells it apart by its weights."""

    fingerprint: str

    def answer(self, requests: Sequence[Request]) -> Sequence[Reply | Exception]:
        """One reply a request, or the error that stands in its place."""
        ...


class HFModel:
    """A model of a folder, or of an id on the hub.

    A reward model's reply is a number, or a JSON object of `score` and what that is made of.
    """

    def __init__(self, kind: str, path: str, engine: Engine, batch: int = LARGEST_BATCH) -> None:
        self.name = f"{kind}:{path}"
        self.identity = f"{kind} {engine.fingerprint}"
        self.capabilities = frozenset[Capability]({"logprobs"} if kind == "hf" else ())
        self.engine = engine
        self._microbatch: Microbatch[Request, Reply | Exception] = Microbatch(engine.answer, batch)

    async def ask(self, request: Request) -> Reply:
        """The reply, once its batch is done."""
        return replied(await self._microbatch.ask(request))

    async def aclose(self) -> None:
        """Waits for the batch in work."""
        await self._microbatch.done()


def _check_installed() -> None:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra(
            "a model in this process", extra="train", missing=str(error.name)
        ) from error
    del torch, transformers


def open_hf(name: str, models: Models | None = None) -> HFModel:
    """A chat model in this process."""
    _check_installed()
    from assize.models.hf_engine import Engine

    return HFModel("hf", name, Engine(name))


def open_hf_reward(name: str, models: Models | None = None, *, kind: str = "hf-reward") -> HFModel:
    """A reward model in this process; `hf-scores` says what its rewards are made of."""
    _check_installed()
    from assize.models.reward_engine import RewardEngine

    return HFModel(kind, name, RewardEngine(name, detailed=kind == "hf-scores"))


open_hf_scores = partial(open_hf_reward, kind="hf-scores")
