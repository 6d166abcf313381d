"""Work on chunks in a thread: tasks in, a result for each out; or all at once, awaited."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assize.base.errors import ConfigError

T = TypeVar("T")
R = TypeVar("R")

Work = Callable[[Sequence[T]], Sequence[R | Exception]]

SMALLEST, LARGEST = 128, 256  # tasks in a chunk; fewer are read more slowly
SECONDS = 2.0  # that a chunk should take at most: Ctrl-C waits for it


async def results(work: Work[T, R], chunk: Sequence[T]) -> list[R | Exception]:
    """A result for each task, or its error: what fails on a chunk is tried on each half.

    A ConfigError is about the work itself: it stands for all.
    """
    try:
        found = list(await asyncio.to_thread(work, chunk))
        if len(found) != len(chunk):
            raise ValueError(f"{len(found)} results for {len(chunk)} tasks")
    except ConfigError as error:  # nothing to do with any one task
        return [error] * len(chunk)
    except Exception as error:
        if len(chunk) == 1:
            return [error]
        half = len(chunk) // 2
        first = await results(work, chunk[:half])
        return first + await results(work, chunk[half:])
    return list(found)


@dataclass(slots=True)
class ChunkSize:
    """How many tasks make a chunk, so that it takes about `SECONDS`; never fewer than `least`."""

    tasks: int = SMALLEST
    least: int = SMALLEST

    async def timed(self, work: Work[T, R], chunk: Sequence[T]) -> list[R | Exception]:
        """`results`; a whole chunk's time makes later ones larger or smaller."""
        began = time.perf_counter()
        found = await results(work, chunk)
        took = time.perf_counter() - began
        if len(chunk) >= self.tasks and took < SECONDS / 2:
            self.tasks = min(LARGEST, 2 * self.tasks)
        elif took > 2 * SECONDS:
            self.tasks = max(self.least, self.tasks // 2)
        return found


async def all_of(asked: Iterable[Awaitable[T]]) -> list[T]:
    """Wait for all and return their results in order.

    If some fail, raise the first error after all have ended, because the others are paid for.
    """
    found = await asyncio.gather(*asked, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return [one for one in found if not isinstance(one, BaseException)]
