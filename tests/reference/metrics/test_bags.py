from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assize.reference._metrics.bags import Bags, Vocabulary, shared

PAIRS = st.lists(
    st.tuples(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc"))), max_size=5
)


def bags(rows: list[list[str]], known: Vocabulary) -> Bags:
    return Bags.of([known.ids(row) for row in rows], 3)


@given(PAIRS)
def test_neighbours_are_paired_within_a_row(pairs: list[tuple[list[str], list[str]]]) -> None:
    known = Vocabulary(a=0, b=1, c=2)
    first, second = ([side[at] for side in pairs] for at in (0, 1))
    found = shared(bags(first, known).pairs(), bags(second, known).pairs())
    expected = [(Counter(pairwise(a)) & Counter(pairwise(b))).total() for a, b in pairs]
    assert found.tolist() == expected
