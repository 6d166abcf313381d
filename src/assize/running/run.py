"""One session of work into a journal: tasks in, records out in order of completion."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from assize.running.control import AwaitingBatch, Interrupted
from assize.running.journal import Journal

T = TypeVar("T")
R = TypeVar("R")
A = TypeVar("A")

Note = Callable[[str], None]

MOST_WORKERS = 1024
GIVE_UP_AFTER = 100  # failed tasks in a row
GRACE = 1.0  # seconds that calls in flight have to finish once a run is told to stop


@dataclass
class Run(Generic[R]):
    """Does tasks at the same time and keeps what comes of each.

    Args:
        journal: where records go.
        note: told what the user should know.
        halt: called when the session ends early; makes models refuse further calls.
    """

    journal: Journal[R]
    note: Note = lambda _: None
    halt: Callable[[], None] = lambda: None
    interrupted: bool = False
    stopping: bool = False
    _fatal: BaseException | None = None
    _failed: int = 0
    _workers: list[asyncio.Task[Any]] = field(default_factory=list)

    def stop(self) -> None:
        """Begins no further task. What is in flight has `GRACE` seconds to finish; then it is
        given up, whatever its server does, and asked again by the same command."""
        self.interrupted = self.stopping = True
        self.halt()
        asyncio.get_running_loop().call_later(GRACE, self._give_up)

    def _give_up(self) -> None:
        for worker in self._workers:
            worker.cancel()

    async def unless_stopped(self, work: Coroutine[Any, Any, A]) -> A | None:
        """What other work of the session returns; None where it is given up as tasks are."""
        task = asyncio.ensure_future(work)
        self._workers = [task]
        try:
            return await task
        except asyncio.CancelledError:
            if self.interrupted:
                return None
            raise

    async def do(
        self,
        tasks: Iterable[T],
        work: Callable[[T], Awaitable[Sequence[R]]],
        *,
        at_once: int,
        on_kept: Callable[[Sequence[R]], None] = lambda _: None,
    ) -> None:
        """Does all tasks, so many at the same time.

        Args:
            work: the records of one task; raises AwaitingBatch or Interrupted where they cannot be
                had now, and any other error where nothing can go on.
            on_kept: told of a task's records once they are on disk.

        Raises:
            OutputError: a record could not be written.
            Exception: whatever else `work` or the iterator raised first. What is kept stays
                kept, and the same command continues.
        """
        left = iter(tasks)
        async with asyncio.TaskGroup() as group:
            self._workers = [
                group.create_task(self._worker(left, work, on_kept))
                for _ in range(min(MOST_WORKERS, at_once))
            ]
        await self.journal.flush()
        if self._fatal is not None:
            raise self._fatal

    async def _worker(
        self,
        tasks: Iterator[T],
        work: Callable[[T], Awaitable[Sequence[R]]],
        on_kept: Callable[[Sequence[R]], None],
    ) -> None:
        while not self.stopping:
            try:
                task = next(tasks)
            except StopIteration:
                return
            except Exception as error:
                self._end(error)
                return
            try:
                records = await work(task)
                await self.journal.append(records, partial(on_kept, records))
            except AwaitingBatch:
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
