"""Async work from synchronous code, also where an event loop runs: Jupyter, FastAPI, tests.

The coroutine runs in a thread of its own, with a loop of its own; the caller's thread waits, and
passes on Ctrl-C, which only the main thread hears. No loop is patched or entered twice. While it
waits, a loop of the caller's does nothing else; code that must not block awaits the async function
instead, which leaves signals alone.
"""

from __future__ import annotations

import asyncio
import contextvars
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Generic, TypeVar

from assize.running.control import STOPS, Stops

T = TypeVar("T")

_LOOK_EVERY = 0.5  # seconds; on Windows a wait without an end hears no Ctrl-C
_UNWIND = 5.0  # seconds that a run which ends at once has to close its files


def run_sync(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine and return its result, whether or not this thread has an event loop.

    The coroutine sees the caller's context variables; callbacks are called in its thread. The
    first Ctrl-C (or SIGTERM) stops a run gently: what is in flight has a moment to finish
    (`run.GRACE`), and the result says that it was interrupted. A second one ends it at once, and
    so does a first where there is no run to stop. Signals are as before when it returns.

    Args:
        make: makes the coroutine; it is called in the thread whose loop runs it.

    Raises:
        KeyboardInterrupt: it was ended at once.
        BaseException: whatever the coroutine raises.

    >>> async def answer() -> int:
    ...     return 42
    >>> run_sync(answer)
    42
    """
    return _Call(make).wait()


class _Call(Generic[T]):
    """One coroutine in a thread and a loop of its own, and what signals may do to it."""

    def __init__(self, make: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._make = make
        self._stops = Stops()
        self._ended = threading.Event()
        self._result: Future[T] = Future()
        self._task: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._cancelled = False

    def wait(self) -> T:
        """Run it and wait for its end."""
        context = contextvars.copy_context()
        thread = threading.Thread(
            target=context.run, args=(self._run,), name="assize-run", daemon=True
        )
        with _signals_to(self._stops.ask):
            thread.start()
            try:
                while not self._ended.wait(_LOOK_EVERY):
                    continue
            except KeyboardInterrupt:
                self._cancelled = True
                if self._task is not None:
                    loop, task = self._task
                    with suppress(RuntimeError):  # it has just ended
                        loop.call_soon_threadsafe(task.cancel)
                self._ended.wait(_UNWIND)
                raise
        return self._result.result()

    def _run(self) -> None:
        """A loop of its own, from beginning to end; signals reach the runs inside by `STOPS`.

        The task does not hold the result: at its end asyncio asks for the handler of signals,
        which Python (3.11 at least) spells out twice, task and result included, and of a large
        result that takes longer than the run.
        """
        STOPS.set(self._stops)
        values: list[T] = []
        try:
            asyncio.run(self._collect(values))
            self._result.set_result(values[0])
        except BaseException as error:
            self._result.set_exception(error)
        finally:
            self._ended.set()

    async def _collect(self, values: list[T]) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = (asyncio.get_running_loop(), task)
        if self._cancelled:  # before there was anything to cancel
            raise asyncio.CancelledError
        values.append(await self._make())


@contextmanager
def _signals_to(stop: Callable[[], bool]) -> Iterator[None]:
    """Inside, the first Ctrl-C or SIGTERM calls `stop`; a second Ctrl-C raises KeyboardInterrupt.

    Where `stop` finds nothing to stop, the first one raises it. A handler of the application (of a
    server, say) is called as well, so that it knows; the ones of Python itself would only interrupt
    the caller, whose run ends gently instead.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Any] = {}

    def on_first(number: int, frame: FrameType | None) -> None:
        restore()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stopping = stop()
        if _of_the_application(before[number]):
            before[number](number, frame)
        if not stopping:
            raise KeyboardInterrupt

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if handler is not None and handler != signal.SIG_IGN:  # None: not set from Python
            before[number] = handler
            signal.signal(number, on_first)
    try:
        yield
    finally:
        restore()


def _of_the_application(handler: Any) -> bool:
    """Whether a handler is somebody's own: neither a default, nor Python's, nor a loop's."""
    if not callable(handler) or handler is signal.default_int_handler:
        return False
    runner = getattr(getattr(handler, "func", None), "__self__", None)
    return not isinstance(runner, asyncio.Runner)
