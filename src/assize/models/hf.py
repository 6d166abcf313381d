"""`hf:PATH-or-id`: a Hugging Face chat model in this process.

Calls that wait together are answered together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assize.base.errors import MissingExtra
from assize.models.microbatch import Microbatch, replied
from assize.models.model import Capability, Reply, Request

if TYPE_CHECKING:
    from assize.models.hf_engine import Engine

LARGEST_BATCH = 16


class HFModel:
    """A Hugging Face model (a folder, or an id on the hub), loaded when it is first asked."""

    capabilities: frozenset[Capability] = frozenset({"logprobs"})

    def __init__(self, path: str, *, device: str | None = None, batch: int = LARGEST_BATCH) -> None:
        self.name = f"hf:{path}"
        self._engine = _load(path, device)
        self.identity = f"hf {self._engine.fingerprint}"
        self._microbatch: Microbatch[Request, Reply | Exception] = Microbatch(
            self._engine.answer, batch
        )

    async def ask(self, request: Request) -> Reply:
        """The reply, once its batch is done."""
        return replied(await self._microbatch.ask(request))

    async def aclose(self) -> None:
        """Waits for the batch in work."""
        await self._microbatch.done()


def _load(path: str, device: str | None) -> Engine:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra(
            "a model in this process", extra="train", missing=str(error.name)
        ) from error
    del torch, transformers
    from assize.models.hf_engine import Engine

    return Engine(path, device=device)


def open_hf(name: str, models: object) -> HFModel:
    """A Hugging Face model in this process."""
    return HFModel(name)
