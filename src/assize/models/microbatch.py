"""Work that is cheaper for many at once: whoever waits at the same moment is answered together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")

LARGEST = 64


@dataclass
class Microbatch(Generic[Given, Found]):
    """Answers one at a time, worked out in batches in a thread.

    Args:
        work: as many results as it is given things, in their order.
        largest: most things in one batch.

    >>> double = Microbatch(lambda numbers: [2 * number for number in numbers])
    >>> asyncio.run(double.ask(21))
    42
    """

    work: Callable[[Sequence[Given]], Sequence[Found]]
    largest: int = LARGEST
    _waiting: list[tuple[Given, asyncio.Future[Found]]] = field(default_factory=list)
    _working: asyncio.Task[None] | None = None

    async def ask(self, given: Given) -> Found:
        """The result for one thing, once its batch is done."""
        future: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._waiting.append((given, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        await asyncio.sleep(0)  # lets everyone who is about to ask join the first batch
        while self._waiting:
            batch = self._waiting[: self.largest]
            del self._waiting[: self.largest]
            try:
                found = await asyncio.to_thread(self.work, [given for given, _ in batch])
            except Exception as error:
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), one in zip(batch, found, strict=True):
                if not future.done():
                    future.set_result(one)

    async def done(self) -> None:
        """Waits for the batch in work."""
        if self._working is not None:
            await self._working


def replied(found: Found | Exception) -> Found:
    """What was found; raises it where it is an error."""
    if isinstance(found, Exception):
        raise found
    return found
