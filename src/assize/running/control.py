"""What ends a task without an answer and without a failure, and what ends a session."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
