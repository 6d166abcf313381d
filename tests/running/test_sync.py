"""Async work from synchronous code: inside a running loop, with its context, interrupted."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from tests.base.loops import in_loop

from assize.running import run_sync, stoppable

WORD: ContextVar[str] = ContextVar("word", default="none")


async def where() -> tuple[threading.Thread, asyncio.AbstractEventLoop, str]:
    await asyncio.sleep(0)
    return threading.current_thread(), asyncio.get_running_loop(), WORD.get()


@in_loop
async def inside(call: Callable[[], Any]) -> Any:
    """Calls a synchronous function from a coroutine, as an `async def` handler would."""
    await asyncio.sleep(0)
    return call()


def test_it_runs_in_a_thread_of_its_own() -> None:
    assert run_sync(where)[0] is not threading.current_thread()


def test_a_result_is_not_spelt_out_which_may_be_large() -> None:
    class Large:
        spelt = 0

        def __repr__(self) -> str:
            Large.spelt += 1
            return "..."

    async def made() -> Large:
        return Large()

    assert isinstance(run_sync(made), Large)
    assert Large.spelt == 0


def test_inside_a_running_loop_it_runs_in_a_thread_and_a_loop_of_its_own() -> None:
    def call() -> tuple[Any, Any]:
        WORD.set("carried")
        return asyncio.get_running_loop(), run_sync(where)

    outer, (thread, loop, word) = inside(call)
    assert thread is not threading.current_thread()
    assert loop is not outer
    assert loop.is_closed()
    assert word == "carried"
    assert not thread.is_alive() or thread.join(10) is None


@pytest.mark.parametrize("called", [inside, lambda call: call()], ids=["in a loop", "outside"])
def test_an_error_is_raised_as_it_is_and_not_as_one_of_looking_for_a_loop(
    called: Callable[[Callable[[], Any]], Any],
) -> None:
    async def fails() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there") as found:
        called(lambda: run_sync(fails))
    assert found.value.__context__ is None


def test_it_can_be_called_again_from_within() -> None:
    async def outer() -> int:
        return run_sync(inner) + 1

    async def inner() -> int:
        return 1

    assert inside(lambda: run_sync(outer)) == 2


def test_in_a_loop_of_another_thread_signals_are_left_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(inside(lambda: run_sync(where))))
    thread.start()
    thread.join(10)
    assert found[0][2] == "none"
    assert signal.getsignal(signal.SIGINT) is before


def test_the_handlers_of_signals_are_as_before() -> None:
    def heard(number: int, frame: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGTERM, heard)
    try:
        inside(lambda: run_sync(where))
        assert signal.getsignal(signal.SIGTERM) is heard
    finally:
        signal.signal(signal.SIGTERM, before)


SERVERS = Path(__file__).parents[1] / "servers"
SCRIPT = """
import asyncio, json, sys
from pathlib import Path
from assize.formats import read
from assize.judging.session import RunSettings
from run_work import judge_session as judge
from assize.judging.session import Session
from assize.models import ModelSettings
from assize.running import run_sync

def told():
    session = Session(read([{file!r}]), ["io@openai:tiny"], Path({out!r}),
                      run=RunSettings(concurrency=2), models=ModelSettings(base_url={url!r}))
    outcome = judge(session)
    print(json.dumps([outcome.interrupted, outcome.summary.n]))

async def main():
    told()
    await asyncio.sleep(0)  # a cancelled task would end here
    print("went on")

asyncio.run(main())
"""


def started(script: str, **names: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script.format(**names)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(SERVERS)},
    )


def until(true: Callable[[], bool]) -> None:
    for _ in range(6_000):
        if true():
            return
        time.sleep(0.005)
    raise AssertionError("never came true")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    def say(text: str) -> list[dict[str, str]]:
        return [{"role": "assistant", "text": text}]

    lines = [
        json.dumps({"id": f"p{n}", "context": [], "a": say(f"one {n}"), "b": say(f"two {n}")})
        for n in range(30)
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path / "pairs.jsonl"


@pytest.mark.slow("starts a process and interrupts it")
def test_an_interrupt_in_a_running_loop_stops_the_run_gently_and_it_resumes(
    tmp_path: Path, pairs: Path
) -> None:
    out = tmp_path / "run"
    with ChatServer(latency=0.1) as server:
        given = {"file": str(pairs), "out": str(out), "url": server.url}
        process = started(SCRIPT, **given)
        until(lambda: len(server.seen) >= 8)
        process.send_signal(signal.SIGINT)
        said, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        outcome, went_on = said.splitlines()
        interrupted, kept = json.loads(outcome)
        assert interrupted
        assert went_on == "went on"
        assert kept == len(server.seen) < 60
        process = started(SCRIPT, **given)
        said, err = process.communicate(timeout=120)
        assert json.loads(said.splitlines()[0]) == [False, 60], err
        assert len(server.seen) == 60


@pytest.mark.slow("starts a process and interrupts it")
def test_one_interrupt_ends_a_run_whatever_its_server_does_and_the_folder_is_free(
    tmp_path: Path, pairs: Path
) -> None:
    out = tmp_path / "run"
    with ChatServer(latency=120) as server:
        process = started(SCRIPT, file=str(pairs), out=str(out), url=server.url)
        until(lambda: len(server.seen) >= 1)
        process.send_signal(signal.SIGINT)
        said, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert json.loads(said.splitlines()[0]) == [True, 0]
        server.latency = 0
        process = started(SCRIPT, file=str(pairs), out=str(out), url=server.url)
        said, err = process.communicate(timeout=120)
    assert json.loads(said.splitlines()[0]) == [False, 60], err


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
        with stoppable(lambda: stopped.append(True)):
            os.kill(os.getpid(), kind)
            while not stopped:
                await asyncio.sleep(0)
            async with asyncio.TaskGroup() as group:
                group.create_task(waits())
                await asyncio.sleep(0)
                os.kill(os.getpid(), signal.SIGINT)

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(KeyboardInterrupt):
        run_sync(run)
    assert (stopped, ended) == ([True], ["child"])
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


WAITS = textwrap.dedent("""
    import asyncio, signal
    from assize.running import run_sync

    async def long():
        print("begun", flush=True)
        await asyncio.sleep(600)

    async def main():
        {before}
        try:
            run_sync(long)
        except KeyboardInterrupt:
            print("ended", flush=True)

    asyncio.run(main())
""")


OWN = "signal.signal(signal.SIGTERM, lambda *_: print('told', flush=True))"


@pytest.mark.slow("starts a process and interrupts it")
@pytest.mark.parametrize(
    ("before", "sent", "heard"),
    [("", signal.SIGINT, ["ended"]), (OWN, signal.SIGTERM, ["told", "ended"])],
    ids=["an interrupt", "a server's own handler"],
)
def test_where_there_is_no_run_to_stop_the_first_signal_ends_it_and_own_handlers_hear_it(
    before: str, sent: signal.Signals, heard: list[str]
) -> None:
    process = started(WAITS, before=before)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(sent)
    said, err = process.communicate(timeout=60)
    assert said.splitlines() == heard, err
