"""Values are made once, kept until their key changes, and the earlier one is shown meanwhile."""

from __future__ import annotations

from threading import Event

import pytest

from assize.base.errors import DataError
from assize.web._cache import MOST, Cache, Kept

pytestmark = pytest.mark.anyio


async def test_a_value_is_made_once_and_anew_for_another_key() -> None:
    cache, made = Cache(), []

    def make() -> int:
        made.append(1)
        return len(made)

    for key, value in (("a", 1), ("a", 1), ("b", 2)):
        assert await cache.get("x", key, make) == Kept(key, value)


async def test_while_a_newer_value_is_made_the_earlier_one_is_given() -> None:
    cache, ready = Cache(), Event()
    assert await cache.get("y", "1", ready.wait, patience=0.01) is None
    await cache.get("x", "1", lambda: "old")
    assert await cache.get("x", "2", ready.wait, patience=0.01) == Kept("1", "old", stale=True)
    ready.set()
    assert await cache.get("x", "2", ready.wait) == Kept("2", True)


async def test_what_went_wrong_is_told_and_tried_again() -> None:
    cache = Cache()

    def fail() -> None:
        raise DataError("the database is away")

    for _ in range(2):
        with pytest.raises(DataError, match="the database is away"):
            await cache.get("x", "1", fail)
    assert (await cache.get("x", "1", lambda: 3)) == Kept("1", 3)


async def test_the_values_asked_for_last_are_kept() -> None:
    cache = Cache()
    for number in range(MOST + 1):
        await cache.get(f"x{number}", "1", lambda: "first")
    kept = [await cache.get(f"x{number}", "1", lambda: "anew") for number in (MOST, 0)]
    assert [one.value for one in kept if one is not None] == ["first", "anew"]
