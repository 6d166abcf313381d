from __future__ import annotations

import asyncio
from collections.abc import Sequence

from assize.models.microbatch import Microbatch


def test_who_waits_at_once_is_answered_in_batches_of_the_largest_size() -> None:
    batches: list[int] = []

    def work(given: Sequence[int]) -> list[int]:
        batches.append(len(given))
        return [one * one for one in given]

    async def run() -> list[int]:
        together = Microbatch(work, largest=4)
        return await asyncio.gather(*(together.ask(number) for number in range(10)))

    assert asyncio.run(run()) == [number * number for number in range(10)]
    assert batches == [4, 4, 2]


def test_a_batch_that_fails_fails_for_its_own_and_the_next_goes_on() -> None:
    def work(given: Sequence[int]) -> list[int]:
        if 0 in given:
            raise ValueError("zero")
        return list(given)

    async def run() -> list[int | BaseException]:
        together = Microbatch(work, largest=2)
        asked = (together.ask(number) for number in range(4))
        return await asyncio.gather(*asked, return_exceptions=True)

    first, second, third, fourth = asyncio.run(run())
    assert isinstance(first, ValueError)
    assert isinstance(second, ValueError)
    assert (third, fourth) == (2, 3)


def test_it_can_be_asked_again_after_all_was_done() -> None:
    async def run() -> list[int]:
        together: Microbatch[int, int] = Microbatch(lambda given: given)
        return [await together.ask(1), await together.ask(2)]

    assert asyncio.run(run()) == [1, 2]
