from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tests.base.loops import in_loop

from assize.models.microbatch import Microbatch


@in_loop
async def test_who_waits_at_once_is_answered_in_batches_of_the_largest_size() -> None:
    batches: list[int] = []

    def work(given: Sequence[int]) -> list[int]:
        batches.append(len(given))
        return [one * one for one in given]

    together = Microbatch(work, largest=4)
    squares = await asyncio.gather(*(together.ask(number) for number in range(10)))
    assert squares == [number * number for number in range(10)]
    assert batches == [4, 4, 2]


@in_loop
async def test_a_batch_that_fails_fails_for_its_own_and_the_next_goes_on() -> None:
    def work(given: Sequence[int]) -> list[int]:
        if 0 in given:
            raise ValueError("zero")
        return list(given)

    together = Microbatch(work, largest=2)
    asked = (together.ask(number) for number in range(4))
    first, second, third, fourth = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(first, ValueError)
    assert isinstance(second, ValueError)
    assert (third, fourth) == (2, 3)


@in_loop
async def test_it_can_be_asked_again_after_all_was_done() -> None:
    together: Microbatch[int, int] = Microbatch(lambda given: given)
    assert [await together.ask(1), await together.ask(2)] == [1, 2]
