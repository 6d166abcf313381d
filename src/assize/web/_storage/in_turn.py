"""Short work on SQLite in the event loop's own thread, as long as nobody else is at work.

A step of a rater takes some milliseconds of the processor. With a thread in between, that thread
and the event loop take Python's lock from each other after each statement, and both wait longer
than they work. So short work is done where it is asked for. What comes in while the loop is busy
shares a commit. Where another thread or process writes, or anything fails, nothing of it is kept
and the caller hears `BUSY`: the patient way, in a thread, then does it or says why not.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from assize.web._storage.engine import kept

T = TypeVar("T")
Work = Callable[[Connection], T]

TOGETHER = 16  # writes that share a commit, at most: the loop does nothing else meanwhile
PAUSE = 0.002  # seconds between two looks at whether another thread still writes
TRIES = 100


class Busy:
    """Nothing was done."""


BUSY = Busy()


class InTurn:
    """Two connections of its own: one to look with, one to write with.

    Args:
        writing: held by whoever writes in this process.
    """

    def __init__(self, engine: Engine, writing: threading.Lock) -> None:
        self._engine, self._writing = engine, writing
        self._mine = threading.Lock()
        self._open = True
        self._kept: dict[bool, Connection] = {}
        self._waiting: dict[asyncio.AbstractEventLoop, list[tuple[Work[Any], Any]]] = {}

    async def read(self, work: Work[T]) -> T | Busy:
        """What a look finds."""
        with _held(self._mine) as mine:
            if mine and self._open:
                with suppress(DBAPIError):
                    connection = self._connection(writes=False)
                    with connection.begin():
                        return work(connection)
        return BUSY

    async def write(self, work: Work[T]) -> T | Busy:
        """What a write returns, once it is on disk."""
        loop = asyncio.get_running_loop()
        if loop not in self._waiting:
            self._waiting[loop] = []
            loop.call_soon(self._commit, loop)
        done: asyncio.Future[T | Busy] = loop.create_future()
        self._waiting[loop].append((work, done))
        return await done

    def close(self) -> None:
        """Lets go of the database."""
        with self._mine:
            self._open = False
            for one in self._kept.values():
                one.close()
            self._kept.clear()

    def _commit(self, loop: asyncio.AbstractEventLoop, tries: int = TRIES) -> None:
        """Writes what waits in a loop, and tells each; later, where another thread writes now."""
        if tries and self._writing.locked():
            loop.call_later(PAUSE, self._commit, loop, tries - 1)
            return
        waiting = [one for one in self._waiting.pop(loop) if not one[1].cancelled()]
        batch, rest = waiting[:TOGETHER], waiting[TOGETHER:]
        if rest:
            self._waiting[loop] = rest
            loop.call_soon(self._commit, loop)
        found = self._written([work for work, _ in batch])
        for (_, done), result in zip(batch, found, strict=True):
            done.set_result(result)

    def _written(self, batch: list[Work[Any]]) -> list[Any]:
        with _held(self._mine) as mine, _held(self._writing) as alone:
            if mine and alone and self._open:
                with suppress(Exception):  # the patient way says it to whom it belongs
                    connection = self._connection(writes=True)
                    with connection.begin():
                        return [work(connection) for work in batch]
        return [BUSY] * len(batch)

    def _connection(self, *, writes: bool) -> Connection:
        if writes not in self._kept:
            self._kept[writes] = kept(self._engine, writes=writes)
        return self._kept[writes]


@contextmanager
def _held(lock: threading.Lock) -> Iterator[bool]:
    """Whether a lock is held: it is not waited for."""
    held = lock.acquire(blocking=False)
    try:
        yield held
    finally:
        if held:
            lock.release()
