"""Plans: what a function that asks models would do, estimated, run, awaited and stopped."""

from __future__ import annotations

import asyncio
import inspect
import os
import pickle
import pydoc
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from scripts.promised import promised

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import AssizeError, Interrupted, Stopped
from assize.judging.asking import Asking
from assize.judging.outcome import Estimates, ShownPrompt
from assize.judging.plan import Bar, Plan, asks_models
from assize.results import Result
from assize.running.control import stoppable

CHATS = [
    Conversation(f"c{n}", (Turn("user", f"Why {n}?"), Turn("assistant", f"Because of {n}.")))
    for n in range(3)
]
FUNCTIONS = {name: value for name, value in promised().items() if inspect.isfunction(value)}
VERBS = {name: verb for name, verb in FUNCTIONS.items() if hasattr(verb, "plan")}


@dataclass(frozen=True)
class Reached(Result):
    n: int
    interrupted: bool = False


@dataclass(frozen=True)
class Counting:
    """Counts to 3, unless it is stopped or gives up."""

    folder: Path
    gives_up: bool = False

    async def run(self, bar: Bar) -> Reached:
        stopped = asyncio.Event()
        with bar("counting", 3) as advance, stoppable(stopped.set):
            for n in range(3):
                if self.gives_up or stopped.is_set():
                    return Reached(n, interrupted=True)
                advance()
                await asyncio.sleep(0.05)
        self.folder.mkdir(parents=True, exist_ok=True)
        return Reached(3)

    async def estimate(self) -> Estimates:
        return Estimates({})

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        return ShownPrompt("1", question or "main", None, [], None)


@asks_models
def count(*, out: Path | None = None, gives_up: bool = False) -> Plan[int]:
    """Counts."""
    return Plan(lambda folder, dry: Counting(folder, gives_up), out, give=lambda result: result.n)


def test_a_call_its_plan_and_what_is_awaited_are_the_same(tmp_path: Path) -> None:
    assert count() == count.plan().run() == asyncio.run(count.plan().run_async()) == 3
    assert count.plan().outcome().n == 3
    assert count.plan(out=tmp_path / "run").run() == 3
    assert (tmp_path / "run").is_dir()


def test_a_prompt_is_shown_and_an_estimate_made_before_anything_is_asked() -> None:
    with ChatServer() as server:
        plan = assize.judge.plan(
            CHATS, "rating@openai:tiny", asking=Asking(base_url=server.url), quiet=True
        )
        assert plan.estimate().by_model["openai:tiny"].calls == 3
        assert plan.first_prompt().item == "c0"
        assert not server.seen
    assert count.plan().first_prompt("other").item == "other"


def test_an_interrupted_call_raises_with_what_there_is() -> None:
    asyncio.run(asyncio.sleep(0))
    before = signal.getsignal(signal.SIGINT)
    timer = signal.setitimer(signal.ITIMER_REAL, 0.02)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        with pytest.raises(Interrupted) as stop:
            count()
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert stop.value.partial == 1
    assert isinstance(stop.value, KeyboardInterrupt)
    assert not isinstance(stop.value, AssizeError)
    assert signal.getsignal(signal.SIGINT) is before


def test_what_gives_up_by_itself_does_not_end_the_loop_that_awaits_it() -> None:
    async def serve() -> object:
        try:
            await count.plan(gives_up=True).run_async()
        except Stopped as stop:
            return stop.partial
        return None

    assert asyncio.run(serve()) == 0
    with pytest.raises(Stopped) as stop:
        count.plan(gives_up=True).outcome()
    outcome = stop.value.partial
    assert isinstance(outcome, Reached)
    assert (outcome.n, outcome.interrupted) == (0, True)


@pytest.mark.parametrize("name", VERBS)
def test_a_function_that_asks_shows_one_signature_and_can_be_pickled(name: str) -> None:
    verb: Any = VERBS[name]
    assert pickle.loads(pickle.dumps(verb)) is verb
    shown = pydoc.render_doc(
        verb,
        renderer=pydoc.plaintext,  # type: ignore[attr-defined]
    )
    signature = inspect.signature(verb)
    assert "asking: " in shown
    assert "**" not in shown.splitlines()[2]
    assert "Plan[" not in str(signature.return_annotation)
    assert list(signature.parameters) == list(inspect.signature(verb.plan).parameters)


def test_all_functions_that_ask_have_a_plan() -> None:
    asking = {
        name
        for name, function in FUNCTIONS.items()
        if "asking" in inspect.signature(function).parameters
    }
    assert asking <= set(VERBS)
