"""Chunks of tasks: a result for each, whatever becomes of the others."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

import pytest

from assize.base.errors import ConfigError
from assize.running import all_of
from assize.running.executor import LARGEST, SMALLEST, ChunkSize, results


def halved(numbers: Sequence[int]) -> list[int]:
    if any(number % 2 for number in numbers):
        raise ValueError("odd")
    return [number // 2 for number in numbers]


def test_work_is_done_in_another_thread() -> None:
    def where(tasks: Sequence[int]) -> list[str]:
        return [threading.current_thread().name for _ in tasks]

    (name,) = asyncio.run(results(where, [1]))
    assert name != threading.main_thread().name


@pytest.mark.parametrize("odd", [0, 3, 7])
def test_a_task_that_fails_fails_alone(odd: int) -> None:
    tasks = [2 * number for number in range(8)]
    tasks[odd] = 1
    found = asyncio.run(results(halved, tasks))
    for place, one in enumerate(found):
        if place == odd:
            assert isinstance(one, ValueError)
        else:
            assert one == place


def test_work_that_returns_too_few_results_fails_where_it_does() -> None:
    def all_but_threes(tasks: Sequence[int]) -> list[int]:
        return [task for task in tasks if task != 3]

    found = asyncio.run(results(all_but_threes, [1, 2, 3, 4]))
    assert [str(one) for one in found] == ["1", "2", "0 results for 1 tasks", "4"]


def test_chunks_grow_while_they_are_quick_and_shrink_when_they_are_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    size = ChunkSize()

    def work(tasks: Sequence[int], seconds: float) -> list[int]:
        nonlocal now
        now += seconds
        return list(tasks)

    def do(count: int, seconds: float) -> int:
        asyncio.run(size.timed(lambda tasks: work(tasks, seconds), range(count)))
        return size.tasks

    assert do(5, 0.01) == SMALLEST  # the rest of the tasks says nothing
    assert [do(size.tasks, 0.01) for _ in range(2)] == [LARGEST, LARGEST]
    assert do(LARGEST, 2.0) == LARGEST
    assert [do(LARGEST, 9.0) for _ in range(2)] == [SMALLEST, SMALLEST]


def test_a_chunk_may_hold_errors_of_its_tasks() -> None:
    def work(tasks: Sequence[int]) -> list[int | Exception]:
        return [ValueError("odd") if one % 2 else one for one in tasks]

    first, second = asyncio.run(results(work, [2, 3]))
    assert first == 2
    assert isinstance(second, ValueError)


def test_what_is_wrong_with_the_work_itself_is_tried_once() -> None:
    calls: list[int] = []

    def work(tasks: Sequence[int]) -> list[int]:
        calls.append(len(tasks))
        raise ConfigError("no such thing")

    found = asyncio.run(results(work, range(8)))
    assert calls == [8]
    assert [str(one) for one in found] == ["no such thing"] * 8


def test_a_chunk_is_never_smaller_than_asked_for() -> None:
    size = ChunkSize(1, 1)
    for tasks in (1, 2, 4):
        assert size.tasks == tasks
        asyncio.run(size.timed(list, range(tasks)))
    assert size.least == 1


def test_all_results_come_in_their_order() -> None:
    async def later(value: int) -> int:
        await asyncio.sleep(0.001 * (3 - value))
        return value

    assert asyncio.run(all_of(later(value) for value in range(3))) == [0, 1, 2]


def test_the_first_error_comes_once_all_have_ended() -> None:
    ended: list[int] = []

    async def one(value: int) -> int:
        await asyncio.sleep(0.001 * value)
        ended.append(value)
        if value < 2:
            raise ValueError(f"number {value}")
        return value

    with pytest.raises(ValueError, match="number 0"):
        asyncio.run(all_of(one(value) for value in range(3)))
    assert ended == [0, 1, 2]
