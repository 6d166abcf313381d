"""What is no failure is not caught as one; whoever runs a coroutine may stop it."""

from __future__ import annotations

import asyncio
import signal
import threading

from tests.base.loops import in_loop

from assize.base.errors import AssizeError
from assize.running import AwaitingBatch, Interrupted, Postponed, stoppable
from assize.running.control import STOPS, Stops


def test_what_only_waits_or_ends_is_no_error_of_ours() -> None:
    for kind in (AwaitingBatch, Interrupted):
        assert issubclass(kind, Postponed)
        assert not issubclass(kind, AssizeError)


@in_loop
async def test_a_coroutine_leaves_signals_alone() -> None:
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in signals]
    with stoppable(lambda: None), stoppable(lambda: None):
        assert [signal.getsignal(number) for number in signals] == before


def test_a_run_in_a_thread_is_told_to_stop_in_its_own_loop() -> None:
    stops, told = Stops(), list[object]()

    @in_loop
    async def run() -> None:
        STOPS.set(stops)
        with stoppable(lambda: told.append(threading.current_thread())):
            known.set()
            while not told:
                await asyncio.sleep(0)

    known = threading.Event()
    thread = threading.Thread(target=run)
    assert not stops.ask()
    thread.start()
    assert known.wait(10)
    assert stops.ask()
    thread.join(10)
    assert told == [thread]
    assert not stops.ask()
