from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulate.voted_pairs import order_votes

from assize.base.conversation import Preference
from assize.judgments import JudgmentTable
from assize.simulate._majority import (
    LabelCounts,
    label_counts,
    labels_of,
    majority_label,
    votes_by_judge,
)

CAST = st.sampled_from(["A", "B", "tie"])


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ("AAB", "A"),
        ("AB", "tie"),
        ("ATT", "tie"),
        ("AAT", "A"),
        ("AATT", "tie"),
        ("ABT", "tie"),
        ("BBATA", "tie"),
        ("", None),
    ],
)
def test_the_most_frequent_vote_is_the_label(votes: str, label: str | None) -> None:
    cast: list[Preference] = ["tie" if one == "T" else one for one in votes]  # type: ignore[misc]
    assert majority_label(cast) == label


@given(st.lists(CAST, max_size=7))
def test_exchanging_the_sides_exchanges_the_label(cast: Sequence[Preference]) -> None:
    other: dict[Preference | None, Preference | None]
    other = {"A": "B", "B": "A", "tie": "tie", None: None}
    turned = [vote for one in cast if (vote := other[one]) is not None]
    assert majority_label(turned) == other[majority_label(cast)]


def test_both_orders_of_a_judge_are_one_vote() -> None:
    votes = JudgmentTable.of(order_votes({"p": {"x": "AA", "y": "AB"}, "q": {"x": "B-"}}))
    assert votes_by_judge(votes, "Overall") == {"x": {"p": "A", "q": None}, "y": {"p": "tie"}}
    assert labels_of(votes, "Overall") == {"p": "tie", "q": None}
    assert labels_of(votes, "Overall", "x") == {"p": "A", "q": None}
    rows = label_counts(votes_by_judge(votes, "Overall"))
    assert rows == [LabelCounts("x", 1, 0, 0, 1), LabelCounts("y", 0, 0, 1, 0)]
