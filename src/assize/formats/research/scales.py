"""Scales of published ratings, higher being better."""

from __future__ import annotations

from collections.abc import Sequence

from assize.base.judgment import Question

MISSING = "missing"


def ordinal(id: str, text: str, answers: Sequence[int]) -> Question:
    """A question answered by whole numbers, lowest first, which are their own values.

    >>> ordinal("tone", "How warm?", (1, 2)).answers
    ('1', '2')
    """
    return Question(
        id=id,
        text=text,
        kind="ordinal",
        answers=tuple(map(str, answers)),
        values=tuple(map(float, answers)),
        higher="better",
    )


def number(id: str, text: str, low: float, high: float) -> Question:
    """A question answered by any number of a range."""
    return Question(id=id, text=text, kind="number", range=(low, high), higher="better")
