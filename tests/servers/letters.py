"""An encoder small enough to check by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assize.encoders import Encoding, TokenStates
from assize.encoders.encoder import signature_of
from assize.encoders.unknown_tokens import TokenCounts

LETTERS = "abcdef"


class Letters:
    """Counts of the letters a to f, brought to length 1; notes what it was asked.

    Its tokens are the characters, each with the counts of itself.
    """

    name = "letters"
    dimension = len(LETTERS)
    details: Mapping[str, object] = {"encoder": "letters", "precision": "fp32", "pooling": "mean"}
    signature = signature_of(details)

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        self.seen += texts
        counts = np.array([[text.count(letter) for letter in LETTERS] for text in texts], float)
        counts = counts.reshape(-1, len(LETTERS))
        lengths = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-12)
        windows = np.array([1 + len(text) // 1000 for text in texts])
        states = tuple(map(characters, texts)) if tokens else None
        return Encoding((counts / lengths).astype(np.float32), windows, states)


class Spelling(Letters):
    """The same, and every other letter or digit is a token that it does not know."""

    def token_counts(self, texts: Sequence[str]) -> list[TokenCounts]:
        known = [sum(text.count(letter) for letter in LETTERS) for text in texts]
        every = [sum(map(str.isalnum, text)) for text in texts]
        return [TokenCounts(all_ - some, some) for all_, some in zip(every, known, strict=True)]


def characters(text: str) -> TokenStates:
    """Each character as a token."""
    states = np.array([[one == letter for letter in LETTERS] for one in text], np.float32)
    return TokenStates(states.reshape(-1, len(LETTERS)), np.ones(len(text), np.bool_))
