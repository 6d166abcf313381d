"""Pairs of dialogues, and judges' votes on them in both orders, written as letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment, Order, Unscored

ANSWERS = {"A": "A", "B": "B", "T": "tie", "-": None}
ORDERS: tuple[Order, Order] = ("AB", "BA")


def pair(
    id: str, said: str = "How so?", a: int = 3, b: int = 3, rounds: int = 2, **more: Any
) -> Pair:
    """A pair of `rounds` exchanges, whose answers have `a` and `b` words."""
    sides = [
        tuple(
            turn
            for _ in range(rounds)
            for turn in (Turn("user", said), Turn("assistant", f"{word} " * size))
        )
        for word, size in (("one", a), ("two", b))
    ]
    return Pair(id, (), sides[0], sides[1], True, **more)


def order_votes(
    letters: Mapping[str, Mapping[str, str]], question: str = "Overall", **more: Any
) -> list[Judgment]:
    """By item and judge two letters, the votes in AB and in BA: A, B, T, - unscored, . missing."""
    return [
        Judgment(
            item,
            judge,
            question,
            answer=ANSWERS[letter],
            order=order,
            unscored=Unscored("parse") if letter == "-" else None,
            **more,
        )
        for item, judges in letters.items()
        for judge, both in judges.items()
        for order, letter in zip(ORDERS, both, strict=True)
        if letter != "."
    ]
