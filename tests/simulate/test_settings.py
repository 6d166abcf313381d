"""What `assize simulate` is told: what is not allowed is said where the record is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.simulate import Answers, ConversationFilters, Corpus, PairChoice, Retrieval, Translation
from assize.simulate._settings import turns_of


@pytest.mark.parametrize(
    ("make", "values", "problem"),
    [
        (Answers, {"words": -3}, "words: received -3"),
        (Answers, {"attempts": 0}, "attempts: received 0"),
        (Answers, {"sample_temperature": 3}, "sample_temperature: received 3"),
        (ConversationFilters, {"turns": "10-2"}, "turns '10-2': give the fewest and the most"),
        (ConversationFilters, {"trivial": "lose"}, "trivial lose: allowed are drop"),
        (Corpus, {"pages": "p", "least_words": -1}, "least_words: received -1"),
        (PairChoice, {"balance": "1/2"}, "balance '1/2'"),
        (Retrieval, {"top": 0}, "top: received 0"),
        (Retrieval, {"overlap": 300}, "overlap: received 300; allowed are 0 to 299"),
        (Translation, {"model": "m", "language": " "}, "language ' ': name one"),
    ],
)
def test_what_is_not_allowed_is_said(
    make: Callable[..., Any], values: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        make(**values)


def test_turns_are_two_numbers_one_or_any() -> None:
    assert ConversationFilters().bounds() == (2, 10)
    assert ConversationFilters(turns="any").bounds() is None
    assert (turns_of("3"), turns_of(" 2 - 10 ")) == ((3, 3), (2, 10))
    for text in ("0-2", "3-", "-3", "3-2", "2-x"):
        with pytest.raises(ConfigError):
            turns_of(text)


def test_pairs_are_balanced_as_published_or_not_at_all() -> None:
    assert PairChoice().shares() == (0.4, 0.4, 0.2)
    assert PairChoice(balance="none").shares() is PairChoice(balance=None).shares() is None


def test_whole_pages_are_cut_nowhere() -> None:
    assert Retrieval(words=0).cutting().words is None
    assert Retrieval().cutting().words == 300
