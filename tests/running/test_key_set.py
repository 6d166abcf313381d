"""Keys of records: a set like any other, in less memory."""

from __future__ import annotations

import random
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from assize.running import key_of
from assize.running.key_set import KeySet

KEYS = st.lists(st.integers(0, 2**64 - 1) | st.integers(1020, 1030).map(lambda n: n * 2**10))


@given(KEYS, KEYS)
def test_it_holds_what_a_set_holds(keys: list[int], others: list[int]) -> None:
    keys, others = ([key for key in some if key != 0] for some in (keys, others))
    held = KeySet(keys)
    assert set(held) == set(keys)
    assert (len(held), sorted(held)) == (len(set(keys)), sorted(set(keys)))
    assert [key in held for key in others] == [key in set(keys) for key in others]


def test_it_grows_and_loses_none() -> None:
    rng = random.Random(0)
    keys = [rng.getrandbits(64) for _ in range(20_000)]
    held = KeySet()
    for key in keys:
        assert key not in held
        held.add(key)
        held.add(key)
    assert len(held) == 20_000
    assert all(key in held for key in keys)


def test_the_key_that_is_zero_is_a_key_too() -> None:
    assert 0 in KeySet([0])
    assert 0 not in KeySet([2])


def test_it_takes_a_quarter_of_the_memory_of_a_set() -> None:
    tracemalloc.start()
    try:
        held = KeySet(key_of("item", number) for number in range(30_000))
        small = tracemalloc.get_traced_memory()[0]
        usual = set(held)
        large = tracemalloc.get_traced_memory()[0] - small
    finally:
        tracemalloc.stop()
    assert len(usual) == len(held)
    assert 4 * small < large
