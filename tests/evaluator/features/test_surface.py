from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assize.evaluator._features.surface import SHAPE, shape, words


def test_words_are_lower_case_and_without_punctuation() -> None:
    assert words("Hello, WORLD! 3.5 it’s") == ("hello", "world", "3", "5", "it’s")


def test_the_shape_of_a_small_conversation_by_hand() -> None:
    # assistant says "a b" then "a b" then "a c d d"; user asked "b" before the first only
    assistant = [("a", "b"), ("a", "b"), ("a", "c", "d", "d")]
    found = dict(zip(SHAPE, shape(assistant, [("b",)], [(("b",), ("a", "b"))], 1), strict=True))
    assert np.isclose(found["assistant_length"], np.log(1 + 8 / 3))
    assert np.isclose(found["last_length"], np.log(5))
    assert np.isclose(found["turns"], np.log(4))
    assert np.isclose(found["user_length"], np.log(2))
    assert np.isclose(found["last_user_length"], np.log(2))
    assert found["distinct_words"] == 4 / 8  # a b c d of eight
    assert found["distinct_pairs"] == 4 / 5  # ab, ab, ac, cd, dd
    assert np.isclose(found["repeated_turns"], 1 / 3)
    assert np.isclose(found["new_words"], (0 + 2 / 3) / 2)  # nothing new, then c and d of a c d
    assert found["shared_words"] == 1 / 2
    assert np.isclose(found["distinct_in_turn"], (1 + 1 + 3 / 4) / 3)
    assert np.isclose(found["questions"], 1 / 3)
    assert np.isclose(found["uneven"], np.std([2, 2, 4]) / (1 + 8 / 3))
    assert np.isclose(found["richness"], (16 / 8) ** 0.25)


def test_what_is_not_there_is_nan() -> None:
    found = dict(zip(SHAPE, shape([()], [], [], 0), strict=True))
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


@given(st.lists(st.lists(st.sampled_from("abcde")).map(tuple), min_size=1, max_size=8))
def test_shares_lie_between_0_and_1(turns: list[tuple[str, ...]]) -> None:
    found = dict(zip(SHAPE, shape(turns, [], [], 0), strict=True))
    for name in ("distinct_words", "distinct_pairs", "repeated_turns", "new_words", "questions"):
        assert np.isnan(found[name]) or 0 <= found[name] <= 1
