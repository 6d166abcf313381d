"""What is no failure is not caught as one; signals stop gently."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from assize.errors import AssizeError
from assize.running import Interrupted, NotNow, Waiting, stopped_by_signals
from assize.running.control import STOPS, Stops


def test_what_only_waits_or_ends_is_no_error_of_ours() -> None:
    for kind in (Waiting, Interrupted):
        assert issubclass(kind, NotNow)
        assert not issubclass(kind, AssizeError)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_and_a_second_interrupts(kind: signal.Signals) -> None:
    stopped: list[bool] = []
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("child")

    async def run() -> None:
        usual = signal.getsignal(signal.SIGINT)
        with stopped_by_signals(lambda: stopped.append(True)):
            os.kill(os.getpid(), kind)
            while not stopped:
                await asyncio.sleep(0)
            # Not Python's, which would interrupt the loop itself wherever it is.
            assert signal.getsignal(signal.SIGINT) == usual != signal.default_int_handler
            async with asyncio.TaskGroup() as group:
                group.create_task(waits())
                await asyncio.sleep(0)
                os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run())
    assert (stopped, ended) == ([True], ["child"])
    assert signal.getsignal(signal.SIGINT) in (before, signal.default_int_handler)


def test_in_another_thread_signals_are_left_alone() -> None:
    async def run() -> bool:
        with stopped_by_signals(lambda: None):
            return True

    async def outside() -> bool:
        return await asyncio.to_thread(lambda: asyncio.run(run()))

    assert asyncio.run(outside())


def test_a_run_in_a_thread_is_told_to_stop_in_its_own_loop() -> None:
    stops, told = Stops(), list[object]()

    async def run() -> None:
        STOPS.set(stops)
        with stopped_by_signals(lambda: told.append(threading.current_thread())):
            known.set()
            while not told:
                await asyncio.sleep(0)

    known = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(run()))
    assert not stops.ask()
    thread.start()
    assert known.wait(10)
    assert stops.ask()
    thread.join(10)
    assert told == [thread]
    assert not stops.ask()
