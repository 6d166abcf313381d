"""`hf:PATH-or-id`: a Hugging Face chat model in this process.

Calls that wait together are answered together. Whole choices are scored exactly, so a
judge's distribution needs no sampling and no generation.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assize.errors import MissingExtra
from assize.models.model import Gift, Reply, Request

if TYPE_CHECKING:
    from assize.models.hf_engine import Engine

LARGEST_BATCH = 16


@dataclass(slots=True)
class _Waiting:
    request: Request
    reply: asyncio.Future[Reply]


class HFModel:
    """A model of the Hugging Face hub's kind, loaded when it is first asked.

    Args:
        path: a folder, or an id on the hub, which is then fetched.
        device: as torch names it; None for a GPU where there is one.
        batch: most requests answered together.

    Raises:
        MissingExtra: torch or transformers is not installed.
    """

    gives: frozenset[Gift] = frozenset({"logprobs", "scores"})

    def __init__(self, path: str, *, device: str | None = None, batch: int = LARGEST_BATCH) -> None:
        self.name = f"hf:{path}"
        self._engine = _load(path, device)
        self.identity = f"hf {self._engine.fingerprint}"
        self._batch = batch
        self._waiting: list[_Waiting] = []
        self._working: asyncio.Task[None] | None = None

    async def ask(self, request: Request) -> Reply:
        """The reply, once its batch is done."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(request, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await future

    async def _work(self) -> None:
        await asyncio.sleep(0)  # lets everyone who is about to ask join the first batch
        while self._waiting:
            batch = self._next_batch()
            try:
                replies = await asyncio.to_thread(
                    self._engine.answer, [one.request for one in batch]
                )
            except Exception as error:
                for one in batch:
                    if not one.reply.done():
                        one.reply.set_exception(error)
                continue
            for one, reply in zip(batch, replies, strict=True):
                if not one.reply.done():
                    if isinstance(reply, Reply):
                        one.reply.set_result(reply)
                    else:
                        one.reply.set_exception(reply)

    def _next_batch(self) -> list[_Waiting]:
        """The first that waits, with others of its kind: scored, or written."""
        scored = bool(self._waiting[0].request.choices)
        same = [one for one in self._waiting if bool(one.request.choices) is scored]
        batch = same[: self._batch]
        self._waiting = [one for one in self._waiting if one not in batch]
        return batch

    async def aclose(self) -> None:
        """Waits for the batch in work."""
        if self._working is not None:
            await self._working


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
