"""What ends a task without an answer and without a failure, and what ends a session."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar


class NotNow(Exception):
    """The record cannot be had in this session; nothing is wrong, and nothing is written.

    No `AssizeError`: what handles failures must not take it for one.
    """


class Waiting(NotNow):
    """The answer waits for a batch; a later session collects it."""


class Interrupted(NotNow):
    """The session ends; the call was not made, and nothing is known about its answer."""


class Stops:
    """How a session in another thread is told to stop: its loop hears no signal.

    `run_sync` puts one into the thread's context, and `stopped_by_signals` adds to it what
    the main thread's signals would have called.
    """

    def __init__(self) -> None:
        self._known: list[tuple[asyncio.AbstractEventLoop, Callable[[], None]]] = []

    def ask(self) -> bool:
        """Tells all that are running, each in its own loop; whether there was any to tell."""
        told = False
        for loop, stop in tuple(self._known):
            with suppress(RuntimeError):  # its loop has just ended
                loop.call_soon_threadsafe(stop)
                told = True
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


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop gently; a second one ends at once, as without us.

    The second one meets the handler that was there before: asyncio's own cancels the main task.
    Python's would raise KeyboardInterrupt wherever the loop is, between two lines of a callback
    too, and what waits for that callback would wait for ever.

    In a thread of `run_sync` the signals of the caller's thread do.
    """
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {one: signal.getsignal(one) for one in signals}

    def first() -> None:
        stop()
        restore()

    def restore() -> None:
        for one, handler in before.items():
            loop.remove_signal_handler(one)
            if handler is not None:  # else it was not set from Python
                signal.signal(one, handler)

    try:
        for one in signals:
            loop.add_signal_handler(one, first)
    except (NotImplementedError, RuntimeError, ValueError):  # not in the main thread
        stops = STOPS.get()
        if stops is None:
            yield
            return
        with stops.known(stop):
            yield
        return
    try:
        yield
    finally:
        restore()
