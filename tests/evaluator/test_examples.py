"""What can be read of items, and which rows belong together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from letters import Spelling
from tests.evaluator.talks import Talk

from assize.base.conversation import Continuation, Item, Pair, Turn
from assize.evaluator._examples import joined_by, read_views
from assize.evaluator._features.blocks import TurnFeatures


def test_each_item_has_the_views_that_can_be_read(talk: Talk) -> None:
    user = (Turn("user", "abc"),)
    sides = [(Turn("assistant", text),) for text in ("abc", "fed", " ")]
    items: list[Item] = [
        talk("c", "u: abc", "a: def", "u: b", "a: xyz"),
        Continuation("k", user, "fed"),
        Pair("p", user, sides[0], sides[1]),
        Pair("q", user, sides[0], sides[2]),
    ]
    read = read_views(items, Spelling(), TurnFeatures())
    assert list(read.views) == [("c", None), ("c", 1), ("k", None)]
    assert [read.views[unit].level for unit in read.views] == ["conversation", "turn", "turn"]
    assert list(read.sides) == ["p"]
    assert {name: why.reason for name, why in read.unread.items()} == {"q": "empty"}
    alone = read_views(items, Spelling(), TurnFeatures(), turns=False)
    assert list(alone.views) == [("c", None), ("k", None)]


@given(st.lists(st.lists(st.integers(0, 6), max_size=3), max_size=12))
def test_rows_that_share_a_key_are_in_one_group(keys: list[list[int]]) -> None:
    groups = joined_by(keys)
    for one, first in enumerate(keys):
        for two, second in enumerate(keys):
            if set(first) & set(second):
                assert groups[one] == groups[two]
    seen = list(dict.fromkeys(groups.tolist()))
    assert seen == list(range(len(seen)))
    alone = [row for row, own in enumerate(keys) if not own]
    assert len(np.unique(groups[alone])) == len(alone)
