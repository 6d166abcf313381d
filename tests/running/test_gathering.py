"""Several calls of which none is lost."""

from __future__ import annotations

import asyncio

import pytest

from assize.running import all_of


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
