from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Continuation, Conversation, Item, Turn
from assize.base.errors import ConfigError, DataError
from assize.reference._continuations.context import context_key
from assize.reference._continuations.split import SIDES, groups, shares_of, stratum
from assize.reference._split import split
from assize.stats._arrays import IntArray


def item(id: int, conversation: str | None, opening: str, source: str = "m") -> Continuation:
    said = (Turn("user", opening),)
    return Continuation(str(id), said, "c", ("r",), conversation=conversation, source=source)


def dealt(items: Sequence[Item], shares: Sequence[float], seed: int) -> IntArray:
    """The side of each item, of as many as there are shares."""
    done = split(items, shares=",".join(map(str, shares)), seed=seed)
    names = SIDES if len(shares) == 3 else (SIDES[0], SIDES[2])
    side = {one.id: number for number, name in enumerate(names) for one in done[name]}
    return np.array([side[one.id] for one in items])


def test_conversations_with_one_opening_stay_together() -> None:
    hi, yes = Turn("user", "Hi"), Turn("assistant", "Yes?")
    alike = [Conversation("a", (hi, yes)), Conversation("b", (hi, Turn("assistant", "Hello")))]
    other = Conversation("c", (Turn("system", "Be kind"), Turn("user", "Hey"), yes))
    last = Conversation("d", (Turn("system", "Be kind"), Turn("user", "Ho"), yes))
    found = groups([*alike, other, last], ["a", "b", "c", "d"])
    assert found.tolist() == [0, 0, 1, 2]  # a system turn is no context yet


rows = st.lists(
    st.tuples(st.integers(0, 15), st.integers(0, 25), st.sampled_from("mno")), min_size=1
)


@given(rows, st.integers(0, 5))
def test_no_conversation_and_no_context_is_on_two_sides(
    made: list[tuple[int, int, str]], seed: int
) -> None:
    items: list[Item] = [item(n, f"c{c}", f"x{x}", s) for n, (c, x, s) in enumerate(made)]
    try:
        side = dealt(items, (0.6, 0.2, 0.2), seed)
    except DataError:
        return
    sides = defaultdict(set)
    for one, place in zip(items, side.tolist(), strict=True):
        assert isinstance(one, Continuation)
        sides[one.conversation].add(place)
        sides[context_key(one.context)].add(place)
    assert all(len(found) == 1 for found in sides.values())
    assert set(side.tolist()) == {0, 1, 2}


def test_every_stratum_has_its_share_on_each_side() -> None:
    rare = [item(n, f"r{n}", f"r{n}", "rare") for n in range(20)]
    common = [item(20 + n, f"c{n // 4}", f"c{n}", "common") for n in range(80)]
    items = rare + common
    side = dealt(items, (0.8, 0.1, 0.1), 1)
    for source, total in (("rare", 20), ("common", 80)):
        of = side[[one.source == source for one in items]]
        assert np.bincount(of).tolist() == [0.8 * total, 0.1 * total, 0.1 * total]


def test_the_seed_decides_and_another_one_deals_anew() -> None:
    items = [item(n, f"c{n}", f"x{n}") for n in range(40)]
    first, again, other = (dealt(items, (0.5, 0.5), seed) for seed in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()
    drawn = [dealt(items, (0.5, 0.5), seed).tolist() for seed in range(200)]
    share = np.mean(drawn, axis=0)  # each item is on each side as often: deviation 0.035
    assert np.abs(share - 0.5).max() < 0.16


def test_too_few_groups_and_a_field_that_no_item_has_are_errors() -> None:
    with pytest.raises(DataError, match="2 folds of 1 groups"):
        split([item(0, "c", "x"), item(1, "c", "y")], shares="1,1")
    with pytest.raises(ConfigError, match="no item has such a field, nor its metadata"):
        split([item(0, "c", "x"), item(1, "d", "y")], by="topic")


def test_a_stratum_is_the_source_or_a_field() -> None:
    chat = Conversation("c", (Turn("user", "x"),), system="bot", metadata={"topic": 3})
    assert (stratum(chat, "source"), stratum(chat, "topic"), stratum(chat, "x")) == (
        "bot",
        "3",
        "(not said)",
    )


@pytest.mark.parametrize("text", ["80", "a,b", "-1,2", "0,0,1", "1,2,3,4", "nan,1", "inf,1", ""])
def test_shares_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="such as 80,10,10"):
        shares_of(text)
