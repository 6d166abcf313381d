"""One thread that does queued work in batches and tells each waiter when its batch is done.

Commits and syncs cost the same for one entry as for a hundred; so whatever has queued
up while the last batch was written makes the next one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")

Told = Callable[[BaseException | None], object]

LARGEST_BATCH = 2_000


class Background(Generic[T]):
    """Runs `work(batch)` in a thread of its own; what it raises is told to each waiter."""

    def __init__(self, work: Callable[[list[T]], None], name: str) -> None:
        self._work = work
        self._queue: SimpleQueue[tuple[T, Told] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._closing = threading.Lock()
        self._thread.start()

    def put(self, entry: T, told: Told) -> None:
        """Queues an entry; `told` is called in the thread, with None once it is done."""
        self._queue.put((entry, told))

    async def done(self, entry: T) -> None:
        """Queues an entry and waits until it is done."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()

        def settle(error: BaseException | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

        self.put(entry, lambda error: loop.call_soon_threadsafe(settle, error))
        await future

    def close(self) -> None:
        """Finishes what is queued and ends the thread; harmless when repeated."""
        with self._closing:
            if self._thread.is_alive():
                self._queue.put(None)
                self._thread.join()

    def _run(self) -> None:
        while True:
            batch = [self._queue.get(), *self._waiting()]
            entries = [entry for entry in batch if entry is not None]
            if entries:
                self._write(entries)
            if None in batch:
                return

    def _waiting(self) -> list[tuple[T, Told] | None]:
        waiting: list[tuple[T, Told] | None] = []
        while len(waiting) < LARGEST_BATCH:
            try:
                waiting.append(self._queue.get_nowait())
            except Empty:
                break
        return waiting

    def _write(self, batch: list[tuple[T, Told]]) -> None:
        problem: BaseException | None = None
        try:
            self._work([entry for entry, _ in batch])
        except Exception as error:
            problem = error
        for _, told in batch:
            try:
                told(problem)
            except RuntimeError:  # the waiter's event loop has ended
                continue
