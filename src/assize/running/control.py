"""What ends a task without an answer and without a failure, and what ends a session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar


class Postponed(Exception):
    """The record cannot be had in this session; nothing is wrong, and nothing is written.

    No `AssizeError`: what handles failures must not take it for one.
    """


class AwaitingBatch(Postponed):
    """The answer waits for a batch; a later session collects it."""


class Interrupted(Postponed):
    """The session ends; the call was not made, and nothing is known about its answer."""


class Stops:
    """How those that run now are told to stop: `run_sync` hears the signal, their loop may not."""

    def __init__(self) -> None:
        self._known: list[tuple[asyncio.AbstractEventLoop, Callable[[], None]]] = []
        self.asked = False

    def ask(self) -> bool:
        """Tells all that are running, each in its own loop; whether there was any to tell."""
        told = False
        for loop, stop in tuple(self._known):
            with suppress(RuntimeError):  # its loop has just ended
                loop.call_soon_threadsafe(stop)
                told = True
        self.asked = self.asked or told
        return told

    @contextmanager
    def known(self, stop: Callable[[], None]) -> Iterator[None]:
        """Inside, `ask` calls `stop` in the loop that runs now."""
        entry = (asyncio.get_running_loop(), stop)
        self._known.append(entry)
        try:
            yield
        finally:
            self._known.remove(entry)


STOPS: ContextVar[Stops | None] = ContextVar("stops", default=None)


def stop_was_asked() -> bool:
    """Whether a signal has told the runs of this call to stop; never without a sync caller."""
    stops = STOPS.get()
    return stops is not None and stops.asked


@contextmanager
def stoppable(stop: Callable[[], None]) -> Iterator[None]:
    """Inside, a synchronous caller's first Ctrl-C or SIGTERM calls `stop`.

    Without a synchronous caller nothing happens: a coroutine never touches signals, which belong
    to the application whose loop awaits it. The application cancels the task.
    """
    stops = STOPS.get()
    if stops is None:
        yield
        return
    with stops.known(stop):
        yield
