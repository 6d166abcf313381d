"""Choices between two items, as people give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assize.base.errors import DataError
from assize.base.judgment import NOT_APPLICABLE, Judgment
from assize.calibrate._data.features import place_of
from assize.judgments import Unit
from assize.judgments.values import vote_of

ANSWERS = ("B", "tie", "A")  # by rising preference for A


@dataclass(frozen=True, slots=True)
class Choice:
    """One person's choice: places of both items among the units, and of the answer."""

    a: int
    b: int
    answer: int


def paired_choice(row: Judgment, units: Mapping[Unit, int]) -> Choice | None:
    """A preference between the items `details.a` and `details.b`, else the pair's id with `/A`
    and `/B`; None where there is none, or an item has no answers."""
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return None
    vote = vote_of(row)
    if vote is None:
        received = row.score if row.answer is None else row.answer
        problem = f"{ascii(received)[:60]} is no choice; expected A, B, tie or {NOT_APPLICABLE}"
        raise DataError(f"{place_of(row)}: {problem}")
    a, b = (units.get((name, row.turn)) for name in sides_of(row))
    if a is None or b is None:
        return None
    return Choice(a, b, ANSWERS.index(vote))


def sides_of(row: Judgment) -> tuple[str, str]:
    """Ids of the two items that a preference is between."""
    details = row.details if isinstance(row.details, Mapping) else {}
    a, b = (details.get(side) for side in ("a", "b"))
    if isinstance(a, str) and isinstance(b, str):
        return a, b
    return f"{row.item}/A", f"{row.item}/B"
