from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.base.conversation import Pair, Turn
from assize.formats import read
from assize.simulate._lengths import length_difference, words

P2 = Path(__file__).parents[3] / "shared" / "data" / "mtdeval" / "p2-mtd-sample.json"


def pair(a: list[int], b: list[int]) -> Pair:
    """Answers of so many words, between turns of the user that do not count."""
    sides = [
        tuple(t for n in side for t in (Turn("user", "x " * 50), Turn("assistant", "word " * n)))
        for side in (a, b)
    ]
    return Pair("p", (), sides[0], sides[1])


@pytest.mark.parametrize(
    ("text", "count"), [("It's - well-known, OK!", 3), ("... !", 0), ("你好 OK", 3), (" ", 0)]
)
def test_words_are_counted_without_marks_and_signs_one_by_one(text: str, count: int) -> None:
    assert words(text) == count


def test_it_is_the_largest_of_any_turn() -> None:
    # |3 - 5| = 2, |20 - 9| = 11
    assert length_difference(pair([3, 20], [5, 9])) == 11


def test_sides_of_other_shape_do_not_compare() -> None:
    assert length_difference(pair([1], [1, 1])) == float("inf")


@pytest.mark.skipif(not P2.exists(), reason="needs shared/data/mtdeval beside the repository")
def test_answers_of_the_released_record_differ_by_more_than_ten_words() -> None:
    assert len(json.loads(P2.read_text())) == 1
    one = next(iter(read(P2)))
    assert isinstance(one, Pair)
    assert length_difference(one) == 13  # words of A: 6, 13, 18; of B: 6, 8, 5
