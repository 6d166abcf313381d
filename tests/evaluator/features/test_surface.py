from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.evaluator._features.surface import SHAPE, shape
from assize.evaluator._features.vectors import Turns
from assize.evaluator._features.words import TextMarks


def shape_of(*lines: str) -> dict[str, float]:
    """Of lines such as `u: why?` and `a: because`."""
    parts = [line.partition(": ") for line in lines]
    roles = [{"u": "user", "a": "assistant"}[role] for role, _, _ in parts]
    texts = [TextMarks.of(text) for _, _, text in parts]
    return dict(zip(SHAPE, shape(Turns(roles, texts, np.zeros((len(texts), 2)))), strict=True))


def test_the_shape_of_a_small_conversation_by_hand() -> None:
    # assistant says "a b", then "a b" then "a c d d"; user asked "b" before the first only
    expected = {
        "assistant_length": np.log(1 + 8 / 3),
        "last_length": np.log(5),
        "turns": np.log(4),
        "user_length": np.log(2),
        "last_user_length": np.log(2),
        "distinct_words": 4 / 8,  # a b c d of eight
        "distinct_pairs": 4 / 5,  # ab, ab, ac, cd, dd
        "repeated_turns": 1 / 3,
        "new_words": (0 + 2 / 3) / 2,  # nothing new, then c and d of a c d
        "shared_words": (1 / 2 + 0) / 2,  # b of a b, nothing of a c d
        "distinct_in_turn": (1 + 1 + 3 / 4) / 3,
        "questions": 1 / 3,
        "uneven": np.std([2, 2, 4]) / (1 + 8 / 3),
        "richness": (16 / 8) ** 0.25,
    }
    assert shape_of("a: a b", "u: b", "a: a b?", "a: a c d d") == pytest.approx(expected)


def test_what_is_not_there_is_nan() -> None:
    found = shape_of("a: ")
    missing = {name for name, value in found.items() if np.isnan(value)}
    assert missing == {
        "user_length",
        "last_user_length",
        "distinct_words",
        "distinct_pairs",
        "new_words",
        "shared_words",
        "distinct_in_turn",
        "richness",
    }


@given(st.lists(st.lists(st.sampled_from("abcde")).map(" ".join), min_size=1, max_size=8))
def test_shares_lie_between_0_and_1(turns: list[str]) -> None:
    found = shape_of(*(f"a: {text}" for text in turns))
    for name in ("distinct_words", "distinct_pairs", "repeated_turns", "new_words", "questions"):
        assert np.isnan(found[name]) or 0 <= found[name] <= 1
