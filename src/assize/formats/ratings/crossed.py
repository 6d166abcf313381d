"""Columns that name a question and a rater: `Helpful - r1`, `Helpful [r1]`, `r1: Helpful`.

split every header by one mark ──► a grid of two sides ──► which side is the rater
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assize.base.judgment import Question
from assize.formats.ratings.headers import asked, looks_asked, names_scale

Order = Literal["question-rater", "rater-question"]
FULL = 0.7  # share of the combinations of both sides that a grid has at least
_MOST = 2 / 3  # share of the columns with answers that a grid must cover
_ENCLOSING = ("[]", "()")  # marks that stand around the right side
_BETWEEN = (" - ", ": ", " | ", " / ", "_")  # marks that stand between the sides
_DASHES = str.maketrans("–—\xa0", "-- ")
_RATER = re.compile(
    r"(?:r|a|p|j|rater|judge|annotator|reviewer|coder|labell?er|expert|worker|participant|person"
    r"|respondent|user|evaluator)[\s_.#-]*(?:\d{1,6}|[a-z])|[^@\s]+@[^@\s]+",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Columns that are a grid of two sides.

    Args:
        mark: what stands between the sides, or around the right one.
        sides: by column its left and its right side.
        order: which side is which; None where nothing tells.
    """

    mark: str
    sides: Mapping[str, tuple[str, str]]
    order: Order | None

    def pattern(self, order: str) -> str:
        """Return how the columns are written, as `QUESTION - RATER`."""
        left, right = order.upper().split("-")
        if self.mark in _ENCLOSING:
            return f"{left} {self.mark[0]}{right}{self.mark[1]}"
        return f"{left}{self.mark}{right}"

    def split(self, column: str, order: str) -> tuple[str, str]:
        """Return the question and the rater of a column."""
        left, right = self.sides[column]
        return (left, right) if order == "question-rater" else (right, left)


def find_crossing(
    columns: Sequence[str], known: Mapping[str, Question], order: Order | None = None
) -> Crossing | None:
    """Return the grid of questions and raters that columns name; None where they name none.

    Args:
        columns: headers of columns that hold answers, or nothing yet.
        known: questions that are defined, by id.
        order: which side is which, where the caller says so.

    >>> grid = find_crossing(["Tone - ann", "Tone - ben", "Clarity - ann", "Clarity - ben"], {})
    >>> grid.order, grid.pattern(grid.order), grid.split("Tone - ben", grid.order)
    ('question-rater', 'QUESTION - RATER', ('Tone', 'ben'))
    """
    for mark, sides in _divisions(columns):
        if len(sides) < max(2, _MOST * len(columns)) or not _is_grid(sides):
            continue
        if order is not None:
            return Crossing(mark, sides, order)
        left, right = ([*dict.fromkeys(names)] for names in zip(*sides.values(), strict=True))
        evidence = compare_sides(left, right, known)
        if mark == "_" and 1.0 not in (_share_raters(left), _share_raters(right)):
            continue  # words of one name
        if 1 not in (len(left), len(right)):
            convention: Order | None = "question-rater" if mark == "[]" else None
            return Crossing(mark, sides, order_of(evidence) or convention)
        if _may_be_one_question(left, right, evidence, known):
            return Crossing(mark, sides, "question-rater" if len(left) == 1 else "rater-question")
    return None


def order_of(evidence: float) -> Order | None:
    """Return which side holds the questions, by what `compare_sides` returns."""
    if evidence == 0:
        return None
    return "question-rater" if evidence > 0 else "rater-question"


def _divisions(columns: Sequence[str]) -> Iterator[tuple[str, dict[str, tuple[str, str]]]]:
    """Yield by mark the sides of the columns that it divides, at its last and its first place."""
    plain = {column: " ".join(column.translate(_DASHES).split()) for column in columns}
    for mark in _ENCLOSING:
        ending = {
            column: text
            for column, text in plain.items()
            if text.endswith(mark[1]) and not names_scale(text)
        }
        yield mark, _spell({name: text[:-1].rpartition(mark[0]) for name, text in ending.items()})
    for mark in _BETWEEN:
        yield mark, _spell({column: text.rpartition(mark) for column, text in plain.items()})
        yield mark, _spell({column: text.partition(mark) for column, text in plain.items()})


def _spell(parts: Mapping[str, tuple[str, str, str]]) -> dict[str, tuple[str, str]]:
    """Return the columns that have both sides, each side written as it stood first."""
    spelling: dict[str, str] = {}
    sides = {column: (left.strip(), right.strip()) for column, (left, _, right) in parts.items()}
    return {
        column: (
            spelling.setdefault(left.casefold(), left),
            spelling.setdefault(right.casefold(), right),
        )
        for column, (left, right) in sides.items()
        if left and right
    }


def _is_grid(sides: Mapping[str, tuple[str, str]]) -> bool:
    """Whether every combination of left and right, or nearly every one, is there once."""
    left, right = {side[0] for side in sides.values()}, {side[1] for side in sides.values()}
    if len(set(sides.values())) < len(sides) or left & right:
        return False
    return len(sides) >= FULL * len(left) * len(right)


def compare_sides(
    left: Sequence[str], right: Sequence[str], known: Mapping[str, Question]
) -> float:
    """Return above 0 where the left side holds the questions, below 0 where the right one does,
    and 0 where nothing tells."""
    questions = _share_asked(left, known) - _share_asked(right, known)
    raters = _share_raters(right) - _share_raters(left)
    return round(questions + raters, 9)


def _share_asked(names: Sequence[str], known: Mapping[str, Question]) -> float:
    if any(asked(name, known).id in known for name in names):
        return 2.0
    return _share(sum(map(looks_asked, names)), names)


def _share_raters(names: Sequence[str]) -> float:
    return _share(sum(_RATER.fullmatch(name) is not None for name in names), names)


def _share(count: int, names: Sequence[str]) -> float:
    """Return a share that one name of several cannot raise: `Constance` ends as `relevance`."""
    return count / len(names) if count > 1 or count == len(names) else 0.0


def _may_be_one_question(
    left: Sequence[str], right: Sequence[str], evidence: float, known: Mapping[str, Question]
) -> bool:
    """Whether the side of one name is the question: `Helpful - ann`, `Helpful - ben`."""
    others, single = (right, left[0]) if len(left) == 1 else (left, right[0])
    if len(others) < 2 or _RATER.fullmatch(single) is not None:
        return False
    if any(asked(name, known).id in known or looks_asked(name) for name in others):
        return _share_raters(others) == 1.0
    return evidence < 0 or len(left) == 1
