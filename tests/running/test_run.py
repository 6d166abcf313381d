"""A session: what is kept, what waits, what ends it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import os
import signal

from notes import ids, open_notes

from assize.errors import AssizeError, ServerError
from assize.running import Interrupted, NotNow, Run, Waiting, stopped_by_signals
from assize.running import run as running

Work = Callable[[str], Awaitable[Sequence[dict[str, Any]]]]


def session(path: Path, work: Work, names: str, at_once: int = 2) -> Run[str, dict[str, Any]]:
    """Does one task for each letter."""

    async def go() -> Run[str, dict[str, Any]]:
        with open_notes(path) as journal:
            run: Run[str, dict[str, Any]] = Run(journal, work)
            await run.do(iter(names), at_once=at_once)
        return run

    return asyncio.run(go())


async def noted(name: str) -> list[dict[str, Any]]:
    return [{"id": name}]


def test_every_task_is_done_once_and_may_give_any_number_of_records(tmp_path: Path) -> None:
    async def as_many(name: str) -> list[dict[str, Any]]:
        return [{"id": f"{name}{n}"} for n in range("abc".index(name))]

    session(tmp_path, as_many, "abc")
    assert sorted(ids(tmp_path)) == ["b0", "c0", "c1"]


def test_what_waits_is_left_out_and_the_others_go_on(tmp_path: Path) -> None:
    async def work(name: str) -> list[dict[str, Any]]:
        if name == "b":
            raise Waiting("in a batch")
        return await noted(name)

    run = session(tmp_path, work, "abc")
    assert sorted(ids(tmp_path)) == ["a", "c"]
    assert not run.interrupted


def test_a_stop_finishes_what_is_in_flight_and_begins_nothing(tmp_path: Path) -> None:
    begun: list[str] = []
    halted: list[bool] = []

    async def go() -> bool:
        async def work(name: str) -> list[dict[str, Any]]:
            begun.append(name)
            if name == "b":
                run.stop()
            await asyncio.sleep(0)
            if name == "c":
                raise Interrupted("the session ends")
            return await noted(name)

        with open_notes(tmp_path) as journal:
            run: Run[str, dict[str, Any]] = Run(journal, work, halt=lambda: halted.append(True))
            await run.do(iter("abcdef"), at_once=3)
        return run.interrupted

    assert asyncio.run(go())
    assert halted == [True]
    assert set(begun) <= set("abc")
    assert set(ids(tmp_path)) == set(begun) - {"c"}


def test_an_error_ends_the_session_once_the_others_are_kept(tmp_path: Path) -> None:
    async def work(name: str) -> list[dict[str, Any]]:
        if name == "b":
            raise KeyError("a defect")
        await asyncio.sleep(0.01)
        return await noted(name)

    with pytest.raises(KeyError, match="a defect"):
        session(tmp_path, work, "abcdef")
    assert ids(tmp_path) == ["a"]


def test_an_error_of_the_tasks_themselves_ends_the_session(tmp_path: Path) -> None:
    async def go() -> None:
        def tasks() -> Any:
            yield "a"
            raise ValueError("a bad line")

        with open_notes(tmp_path) as journal:
            run: Run[str, dict[str, Any]] = Run(journal, noted)
            await run.do(tasks(), at_once=1)

    with pytest.raises(ValueError, match="a bad line"):
        asyncio.run(go())
    assert ids(tmp_path) == ["a"]


def test_so_many_failures_in_a_row_stop_the_session_and_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GIVE_UP_AFTER", 3)
    said: list[str] = []

    async def go() -> int:
        done = 0

        async def work(name: str) -> list[dict[str, Any]]:
            nonlocal done
            done += 1
            if name == "x":
                run.failed(ServerError("down"))
            else:
                run.succeeded()
            return []

        with open_notes(tmp_path) as journal:
            run: Run[str, dict[str, Any]] = Run(journal, work, note=said.append)
            await run.do(iter("xxaxxxxxx"), at_once=1)
        return done

    assert asyncio.run(go()) == 6
    assert said == ["stopped: 3 answers in a row failed, the last because: down"]


def test_what_only_waits_or_ends_is_no_error_of_ours() -> None:
    for kind in (Waiting, Interrupted):
        assert issubclass(kind, NotNow)
        assert not issubclass(kind, AssizeError)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_and_a_second_interrupts(kind: signal.Signals) -> None:
    stopped: list[bool] = []

    async def run() -> None:
        with stopped_by_signals(lambda: stopped.append(True)):
            os.kill(os.getpid(), kind)
            while not stopped:
                await asyncio.sleep(0)
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    before = signal.getsignal(signal.SIGINT)
    asyncio.run(run())
    assert stopped == [True]
    assert signal.getsignal(signal.SIGINT) in (before, signal.default_int_handler)


def test_in_another_thread_signals_are_left_alone() -> None:
    async def run() -> bool:
        with stopped_by_signals(lambda: None):
            return True

    async def outside() -> bool:
        return await asyncio.to_thread(lambda: asyncio.run(run()))

    assert asyncio.run(outside())
