from __future__ import annotations

import math

import numpy as np
import pytest

from assize.evaluator._features.manner import MANNER, manner
from assize.evaluator._features.vectors import Turns
from assize.evaluator._features.words import TextMarks


def found(assistant: list[str], user: list[str]) -> dict[str, float]:
    texts = [TextMarks.of(text) for text in (*assistant, *user)]
    roles = ["assistant"] * len(assistant) + ["user"] * len(user)
    return dict(zip(MANNER, manner(Turns(roles, texts, np.zeros((len(roles), 2)))), strict=True))


def test_shares_and_lengths_by_hand() -> None:
    row = found(
        ["I don't know.", "You are right!"],
        ["What?", "Thanks, that is great!"],
    )
    # the user: a complaint and a question of one word, then praise and an exclamation of four
    expected = {
        "user_praises": 0.5,
        "user_complains": 0.5,
        "user_asks": 0.5,
        "user_exclaims": 0.5,
        "user_trend": math.log(5) - math.log(2),
        "praises_last": 1.0,
        "unsure": 0.5,
        "exclaims": 0.5,
        "trend": 0.0,
        "addresses": 0.5,
        "balance": math.log(4) - (math.log(5) + math.log(2)) / 2,
    }
    assert row == pytest.approx(expected)


def test_without_a_user_what_the_user_does_is_missing() -> None:
    row = found(["Hello there"], [])
    missing = {name for name, value in row.items() if np.isnan(value)}
    assert missing == {
        "user_praises",
        "user_complains",
        "user_asks",
        "user_exclaims",
        "user_trend",
        "praises_last",
        "trend",
        "balance",
    }
