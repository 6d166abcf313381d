"""An encoder small enough to check by hand, and conversations written in a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from assize.conversation import Conversation, Item, Turn
from assize.encoders import Encoding
from assize.encoders.encoder import signature_of

LETTERS = "abcdef"


class Letters:
    """Counts of the letters a to f, brought to length 1; counts how often it was asked."""

    name = "letters"
    dimension = len(LETTERS)
    details: Mapping[str, object] = {"encoder": "letters", "precision": "fp32", "pooling": "mean"}
    signature = signature_of(details)

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        self.seen += texts
        counts = np.array([[text.count(letter) for letter in LETTERS] for text in texts], float)
        lengths = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-12)
        windows = np.array([1 + len(text) // 1000 for text in texts])
        return Encoding((counts / lengths).astype(np.float32), windows)


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture(scope="session")
def talk() -> Callable[..., Conversation]:
    """`talk("id", "u: hi", "a: hello")`."""
    roles = {"u": "user", "a": "assistant", "s": "system", "t": "tool"}

    def make(name: str, *lines: str) -> Conversation:
        turns = (Turn(roles[line[0]], line[3:]) for line in lines)  # type: ignore[arg-type]
        return Conversation(name, tuple(turns))

    return make


@pytest.fixture(scope="session")
def spelt() -> Callable[[bool, np.random.Generator], str]:
    """A word of six letters: a good one is mostly a to c, a bad one d to f."""

    def make(good: bool, rng: np.random.Generator) -> str:
        return "".join(rng.choice(list("abc" if good else "def"), 6))

    return make


@pytest.fixture
def items(
    talk: Callable[..., Conversation], spelt: Callable[[bool, np.random.Generator], str]
) -> list[Item]:
    """Sixty conversations; every other one is good."""
    rng = np.random.default_rng(1)
    return [
        talk(str(number), f"u: {spelt(True, rng)}", f"a: {spelt(number % 2 == 0, rng)}")
        for number in range(60)
    ]
