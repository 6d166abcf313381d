"""`hf:PATH-or-id`: a Hugging Face chat model in this process.

Calls that wait together are answered together. Whole choices are scored exactly, so a
judge's distribution needs no sampling and no generation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assize.errors import MissingExtra
from assize.models.microbatch import Microbatch, replied
from assize.models.model import Gift, Reply, Request
from assize.models.streaming import Stream

if TYPE_CHECKING:
    from assize.models.hf_engine import Engine, Hear

LARGEST_BATCH = 16


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request, and who hears its answer while it is written."""

    request: Request
    hear: Hear | None = None


class HFModel:
    """A Hugging Face model (a folder, or an id on the hub), loaded when it is first asked."""

    gives: frozenset[Gift] = frozenset({"logprobs", "scores"})

    def __init__(self, path: str, *, device: str | None = None, batch: int = LARGEST_BATCH) -> None:
        self.name = f"hf:{path}"
        self._engine = _load(path, device)
        self.identity = f"hf {self._engine.fingerprint}"
        self._microbatch: Microbatch[_Asked, Reply | Exception] = Microbatch(
            self._answer, batch, kind=lambda asked: bool(asked.request.choices)
        )

    def _answer(self, asked: Sequence[_Asked]) -> list[Reply | Exception]:
        hears = [one.hear for one in asked]
        return self._engine.answer([one.request for one in asked], hears)

    async def ask(self, request: Request) -> Reply:
        """The reply, once its batch is done; scored and written answers do not share one."""
        return replied(await self._microbatch.ask(_Asked(request)))

    async def stream(self, request: Request) -> Stream:
        """Pieces as they are written, then the reply; who leaves early ends the writing."""
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        loop, listening = asyncio.get_running_loop(), True

        def hear(piece: str) -> bool:
            loop.call_soon_threadsafe(pieces.put_nowait, piece)
            return listening

        answer = asyncio.ensure_future(self._microbatch.ask(_Asked(request, hear)))
        answer.add_done_callback(_seen)
        answer.add_done_callback(lambda _: pieces.put_nowait(None))
        said = 0
        try:
            while (piece := await pieces.get()) is not None:
                said += len(piece)
                yield piece
            reply = replied(await answer)
            if rest := reply.text[said:]:
                yield rest
            yield reply
        finally:
            listening = False
            answer.cancel()

    async def aclose(self) -> None:
        """Waits for the batch in work."""
        await self._microbatch.done()


def _seen(done: asyncio.Future[Reply | Exception]) -> None:
    """An error counts as seen, also where nobody listens any more."""
    if not done.cancelled():
        done.exception()


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
