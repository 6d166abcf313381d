"""An encoder small enough to check by hand, and conversations written in a line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from letters import Letters

from assize.conversation import Conversation, Item, Turn


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
