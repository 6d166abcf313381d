"""Texts most of whose tokens an encoder does not know, and what stands on their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from letters import Letters

from assize.encoders import UNREADABLE, CachedEncoder, find_unreadable
from assize.encoders.minilm import MiniLM
from assize.encoders.unknown_tokens import TokenCounts, Vocabulary, unreadable

THAI = "\u0e09\u0e31\u0e19\u0e23\u0e31\u0e01\u0e41\u0e21\u0e27"  # I love cats
CHINESE = "\u6211\u559c\u6b22\u732b"


def tokenise(texts: Sequence[str]) -> list[list[int]]:
    """A digit a token: 0 is unknown, 9 a full stop."""
    return [[int(digit) for digit in text] for text in texts]


@pytest.mark.parametrize(
    ("text", "unknown", "known"),
    [("", 0, 0), ("99", 0, 0), ("0", 1, 0), ("09", 1, 0), ("012", 1, 2)],
)
def test_marks_count_on_neither_side(text: str, unknown: int, known: int) -> None:
    vocabulary = Vocabulary({"[UNK]": 0, "a": 1, "##b": 2, ".": 9}, 0)
    assert vocabulary.count_tokens([text], tokenise) == [TokenCounts(unknown, known)]


def test_a_tokeniser_without_an_unknown_token_knows_all() -> None:
    assert Vocabulary({}, None).count_tokens(["000"], tokenise) == [TokenCounts()]


@pytest.mark.parametrize("text", [THAI, THAI + "!", CHINESE, "\U0001f600", "x" * 200])
def test_the_embedded_encoder_cannot_read_what_it_has_no_word_for(
    minilm: MiniLM, text: str
) -> None:
    why: Any = unreadable(minilm, [text])
    assert why.reason == UNREADABLE
    assert "the encoder minilm does not know" in why.message


@pytest.mark.parametrize("text", ["", "...", "Thanks \U0001f64f", "\u043a\u043e\u0442", "ca va?"])
def test_what_has_as_many_known_tokens_as_unknown_is_read(minilm: MiniLM, text: str) -> None:
    assert unreadable(minilm, [text]) is None


def test_texts_that_are_judged_together_are_counted_together(minilm: MiniLM) -> None:
    assert unreadable(minilm, ["I love cats.", "\U0001f600"]) is None
    assert list(find_unreadable(minilm, ["I love cats.", "\U0001f600"])) == [1]


def test_a_cached_encoder_says_what_its_encoder_says(
    minilm: MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(tmp_path))
    assert unreadable(CachedEncoder(minilm), [THAI]) == unreadable(minilm, [THAI])


def test_an_encoder_that_counts_nothing_reads_everything() -> None:
    assert unreadable(Letters(), [THAI]) is None
