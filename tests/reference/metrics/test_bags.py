from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assize.reference._metrics.bags import Bags, Vocabulary, shared

PAIRS = st.lists(
    st.tuples(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc"))), max_size=5
)


def bags(rows: list[list[str]], known: Vocabulary) -> Bags:
    return Bags.of([known.ids(row) for row in rows], 3)


@given(PAIRS)
def test_shared_tokens_are_counted_as_often_as_both_hold_them(
    pairs: list[tuple[list[str], list[str]]],
) -> None:
    known = Vocabulary(a=0, b=1, c=2)
    found = shared(bags([one for one, _ in pairs], known), bags([two for _, two in pairs], known))
    assert found.tolist() == [(Counter(one) & Counter(two)).total() for one, two in pairs]


@given(PAIRS)
def test_neighbours_are_paired_within_a_row(pairs: list[tuple[list[str], list[str]]]) -> None:
    known = Vocabulary(a=0, b=1, c=2)
    first, second = ([side[at] for side in pairs] for at in (0, 1))
    found = shared(bags(first, known).pairs(), bags(second, known).pairs())
    expected = [(Counter(pairwise(a)) & Counter(pairwise(b))).total() for a, b in pairs]
    assert found.tolist() == expected


def test_a_token_gets_its_number_when_it_is_first_seen() -> None:
    known = Vocabulary()
    assert known.ids(["the", "cat", "the"]).tolist() == [0, 1, 0]
    assert len(known) == 2
    assert np.array_equal(known.ids([]), [])
