"""Corpora of single responses and of pairs that the recipe and its measurements read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.base.judgment import Judgment
from assize.evaluator._features.views import View, main_views
from assize.formats import read

# adjudicated labels of mrbench, as numbers
_NUMBERS = {
    "Yes": 2.0,
    "To some extent": 1.0,
    "No": 0.0,
    "Encouraging": 2.0,
    "Neutral": 1.0,
    "Offensive": 0.0,
}
_GIVEN_AWAY = "revealing_of_the_answer"  # where "No" is the best


def number(row: Judgment) -> float:
    """The rating as a number, higher being better; NaN where there is none.

    >>> number(Judgment("i", "j", "tutor_tone", answer="Neutral"))
    1.0
    """
    if row.score is not None:
        return row.score
    if row.answer is None:
        return float("nan")
    if row.question == _GIVEN_AWAY:
        return 2.0 if row.answer == "No" else 0.0
    if isinstance(row.answer, str) and row.answer in _NUMBERS:
        return _NUMBERS[row.answer]
    return float(row.answer)


@dataclass(frozen=True, slots=True)
class Rated:
    """Views of one corpus with their ratings.

    Args:
        ratings: by question, one a view; NaN where missing.
        systems: who wrote the response, "" where not stated.
        clusters: the conversation that it continues.
    """

    views: list[View]
    ratings: dict[str, list[float]]
    systems: list[str]
    clusters: list[str]


@dataclass(slots=True)
class _Means:
    """Ratings by question and item, before their means are taken."""

    found: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def add(self, row: Judgment) -> None:
        if row.kind == "person" and row.turn is None:
            self.found.setdefault(row.question, {}).setdefault(row.item, []).append(number(row))

    def of(self, ids: Iterable[str]) -> dict[str, list[float]]:
        kept = list(ids)
        every = {
            question: [float(np.mean(by[one])) if one in by else np.nan for one in kept]
            for question, by in self.found.items()
        }
        return {name: values for name, values in every.items() if np.isfinite(values).any()}


def rated(path: Path, prefix: str = "") -> Rated:
    """Conversations and continuations of a file whose ids begin with `prefix`."""
    means, views, items = _Means(), dict[str, View](), dict[str, Item]()
    for record in read(path).records():
        if isinstance(record, Judgment):
            means.add(record)
        elif isinstance(record, Conversation | Continuation) and record.id.startswith(prefix):
            view = main_views(record)[0]
            if isinstance(view, View):
                views[record.id], items[record.id] = view, record
    return Rated(
        list(views.values()),
        means.of(views),
        [_system(item) for item in items.values()],
        [_context(item) for item in items.values()],
    )


def _system(item: Item) -> str:
    found = item.source if isinstance(item, Continuation) else getattr(item, "system", None)
    return found or ""


def _context(item: Item) -> str:
    return (item.conversation or item.id) if isinstance(item, Continuation) else item.id


def pairs(path: Path) -> Iterator[tuple[View, View, float]]:
    """Both sides of every pair, and 1 where A is preferred, -1 where B is, 0 for neither."""
    for item in read(path):
        if isinstance(item, Pair):
            a, b = main_views(item)
            if isinstance(a, View) and isinstance(b, View):
                yield a, b, {"A": 1.0, "B": -1.0}.get(str(item.gold), 0.0)
