"""One session of work into a journal: tasks in, records out in order of completion."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from assize.running.journal import Journal

T = TypeVar("T")
R = TypeVar("R")

Note = Callable[[str], None]

MOST_WORKERS = 1024
GIVE_UP_AFTER = 100  # failed tasks in a row


@dataclass
class Run(Generic[T, R]):
    """Does tasks at the same time and keeps what comes of each.

    Args:
        journal: where records go.
        work: the records of one task; raises Waiting or Interrupted where they cannot be had
            now, and any other error where nothing can go on.
        on_kept: told of a task's records once they are on disk.
        note: told what the user should know.
        halt: called when the session ends early; makes models refuse further calls.
    """

    journal: Journal[R]
    work: Callable[[T], Awaitable[Sequence[R]]]
    on_kept: Callable[[Sequence[R]], None] = lambda _: None
    note: Note = lambda _: None
    halt: Callable[[], None] = lambda: None
    interrupted: bool = False
    stopping: bool = False
    _fatal: BaseException | None = None
    _failed: int = 0

    def stop(self) -> None:
        """Begins no further task; what is in flight is finished."""
        self.interrupted = self.stopping = True
        self.halt()

    async def do(self, tasks: Iterator[T], *, at_once: int) -> None:
        """Does all tasks, so many at the same time.

        Raises:
            OutputError: a record could not be written.
            Exception: whatever else `work` or the iterator raised first. What is kept stays
                kept, and the same command continues.
        """
        async with asyncio.TaskGroup() as group:
            for _ in range(min(MOST_WORKERS, at_once)):
                group.create_task(self._worker(tasks))
        await self.journal.flush()
        if self._fatal is not None:
            raise self._fatal

    async def _worker(self, tasks: Iterator[T]) -> None:
        while not self.stopping:
            try:
                task = next(tasks)
            except StopIteration:
                return
            except Exception as error:
                self._end(error)
                return
            try:
                records = await self.work(task)
                await self.journal.append(records, lambda done=records: self.on_kept(done))  # type: ignore[misc]
            except Waiting:
                continue
            except Interrupted:
                return
            except Exception as error:  # a defect or the end: let the others finish first
                self._end(error)

    def _end(self, error: BaseException) -> None:
        self.stopping = True
        self.halt()
        if self._fatal is None:
            self._fatal = error

    def succeeded(self) -> None:
        """To be told by `work`: a task came out well."""
        self._failed = 0

    def failed(self, error: BaseException) -> None:
        """To be told by `work`: a task failed as others may.

        Stops where nothing succeeds any more, so that a dead server ends no long run.
        """
        self._failed += 1
        if self._failed >= GIVE_UP_AFTER and not self.stopping:
            self.note(f"stopped: {self._failed} answers in a row failed, the last because: {error}")
            self.stop()


class NotNow(Exception):
    """The record cannot be had in this session; nothing is wrong, and nothing is written.

    No `AssizeError`: what handles failures must not take it for one.
    """


class Waiting(NotNow):
    """The answer waits for a batch; a later session collects it."""


class Interrupted(NotNow):
    """The session ends; the call was not made, and nothing is known about its answer."""


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop gently; a second one ends at once, as without us."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def first() -> None:
        stop()
        for one in signals:
            loop.remove_signal_handler(one)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        for one in signals:
            loop.add_signal_handler(one, first)
    except (NotImplementedError, RuntimeError, ValueError):  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        for one in signals:
            loop.remove_signal_handler(one)
