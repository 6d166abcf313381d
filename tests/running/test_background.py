"""The writing thread."""

from __future__ import annotations

import threading

import pytest
from tests.base.loops import in_loop

from assize.running.background import Background


def test_what_queues_up_meanwhile_is_written_as_one_batch() -> None:
    batches: list[list[int]] = []
    first, go = threading.Event(), threading.Event()

    def work(batch: list[int]) -> None:
        batches.append(batch)
        first.set()
        go.wait(5)

    background = Background(work, "test")
    told: list[BaseException | None] = []
    background.put(0, told.append)
    first.wait(5)
    for number in range(1, 6):
        background.put(number, told.append)
    go.set()
    background.close()
    assert batches == [[0], [1, 2, 3, 4, 5]]
    assert told == [None] * 6


@in_loop
async def test_a_failure_is_told_to_everyone_in_the_batch_and_the_thread_goes_on() -> None:
    def work(batch: list[str]) -> None:
        if "bad" in batch:
            raise OSError("no")

    background = Background(work, "test")
    with pytest.raises(OSError, match="no"):
        await background.done("bad")
    await background.done("good")
    background.close()
    background.close()


def test_a_waiter_that_has_gone_does_not_stop_the_thread() -> None:
    done: list[int] = []
    background = Background(done.extend, "test")

    def gone(_: BaseException | None) -> None:
        raise RuntimeError("Event loop is closed")

    background.put(1, gone)
    background.put(2, lambda _: None)
    background.close()
    assert done == [1, 2]
