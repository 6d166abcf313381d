"""A session: what is kept, what waits, what ends it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.base.loops import in_loop

sys.path.insert(0, str(Path(__file__).parent))


from notes import ids, open_notes

from assize.base.errors import ServerError
from assize.running import AwaitingBatch, Interrupted, Run
from assize.running import run as running

Work = Callable[[str], Awaitable[Sequence[dict[str, Any]]]]


@in_loop
async def session(
    path: Path, work: Work, names: Iterable[str], at_once: int = 2
) -> Run[dict[str, Any]]:
    """Does one task for each letter."""
    with open_notes(path) as journal:
        run: Run[dict[str, Any]] = Run(journal)
        await run.do(iter(names), work, at_once=at_once)
    return run


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
            raise AwaitingBatch("in a batch")
        return await noted(name)

    run = session(tmp_path, work, "abc")
    assert sorted(ids(tmp_path)) == ["a", "c"]
    assert not run.interrupted


@in_loop
async def test_a_stop_finishes_what_is_in_flight_and_begins_nothing(tmp_path: Path) -> None:
    begun: list[str] = []
    halted: list[bool] = []

    async def work(name: str) -> list[dict[str, Any]]:
        begun.append(name)
        if name == "b":
            run.stop()
        await asyncio.sleep(0)
        if name == "c":
            raise Interrupted("the session ends")
        return await noted(name)

    with open_notes(tmp_path) as journal:
        run: Run[dict[str, Any]] = Run(journal, halt=lambda: halted.append(True))
        await run.do(iter("abcdef"), work, at_once=3)
    assert run.interrupted
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
    def tasks() -> Iterator[str]:
        yield "a"
        raise ValueError("a bad line")

    with pytest.raises(ValueError, match="a bad line"):
        session(tmp_path, noted, tasks(), at_once=1)
    assert ids(tmp_path) == ["a"]


@in_loop
async def test_so_many_failures_in_a_row_stop_the_session_and_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GIVE_UP_AFTER", 3)
    said: list[str] = []
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
        run: Run[dict[str, Any]] = Run(journal, note=said.append)
        await run.do(iter("xxaxxxxxx"), work, at_once=1)
    assert done == 6
    assert said == ["stopped: 3 answers in a row failed, the last because: down"]
