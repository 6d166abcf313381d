"""Passages cover the page, overlap as stated, and none is longer than it may be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from assize.base.errors import ConfigError
from assize.retrieval.passages import Cutting, cut, ends_of


@settings(max_examples=40)
@given(some.integers(0, 200), some.integers(1, 40), some.data())
def test_every_word_stands_in_a_passage(count: int, words: int, data: some.DataObject) -> None:
    overlap = data.draw(some.integers(0, words - 1))
    found = cut(count, Cutting(words, overlap))
    assert found[0][0] == 0
    assert found[-1][1] == count
    assert all(end - start == min(words, count) for start, end in found)
    for (_, before), (after, _) in pairwise(found):
        assert before - after >= overlap


def test_whole_pages_are_not_cut() -> None:
    assert cut(5_000, Cutting(None)) == [(0, 5_000)]
    assert str(Cutting(None)) == "whole pages"


def test_characters_go_from_a_word_to_the_next() -> None:
    assert ends_of([(2, 4), (5, 7)], [(0, 1), (1, 2)], 9) == [(0, 5), (5, 9)]


@pytest.mark.parametrize(("words", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_what_cannot_be_is_refused(words: int, overlap: int) -> None:
    with pytest.raises(ConfigError, match="received"):
        Cutting(words, overlap)
