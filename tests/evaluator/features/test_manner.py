from __future__ import annotations

import math

import numpy as np
import pytest

from assize.evaluator._features.manner import MANNER, Manner, manner


def found(assistant: list[str], user: list[str]) -> dict[str, float]:
    said = ([Manner.of(text) for text in side] for side in (assistant, user))
    return dict(zip(MANNER, manner(*said), strict=True))


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


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("hahaha", "praises"),
        ("That makes no sense", "complains"),
        ("You said that already", "complains"),
        ("what?? no", "complains"),
        ("Sorry, what do you mean", "unsure"),
        ("I don’t understand", "unsure"),
        ("you're kind", "addresses"),
    ],
)
def test_a_mark_is_found(text: str, mark: str) -> None:
    assert getattr(Manner.of(text), mark)


@pytest.mark.parametrize("text", ["Greatly", "robotics", "young", "the sensei"])
def test_parts_of_words_are_no_marks(text: str) -> None:
    one = Manner.of(text)
    assert {one.praises, one.complains, one.unsure, one.addresses} == {False}


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
