"""Turns at which people scored two sources differently, and a random draw of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.base.signature import json_hash
from assize.formats import to_json
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers
from assize.reference._rating_sheets.workbook import reference_of

Where = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Duel:
    """Both sources at one turn, with the mean score of each."""

    first: Continuation
    second: Continuation
    scores: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The turns that were drawn, and what they were drawn from.

    Args:
        turns: drawn, in random order.
        compared: turns at which both sources have a score and there is a reference.
        differing: those at which the scores differ.
        higher: of these, how many times each source is ahead.
        unscored: turns with both sources, at which a score or the reference is missing.
    """

    turns: tuple[Duel, ...]
    compared: int
    differing: int
    higher: tuple[int, int]
    unscored: int


def place_of(item: Continuation) -> Where:
    """Conversation and turn; where they are not said, what the context tells of them."""
    context = [to_json(turn) for turn in item.context]
    named = json_hash(context, 12) if item.conversation is None else item.conversation
    return named, len(item.context) if item.turn is None else item.turn


def mean_scores(ratings: JudgmentTable, question: Question) -> dict[str, float]:
    """The mean of people's scores of each item; rows by models and metrics count for nothing.

    Raises:
        DataError: no person answered the question.
    """
    rows = ratings.where(kind=("person", None), question=question.id)
    values = numbers(rows, question)
    codes, items = rows.codes("item")
    scores: dict[str, list[float]] = {}
    for code, value in zip(codes.tolist(), values.tolist(), strict=True):
        if not math.isnan(value):
            scores.setdefault(items[code], []).append(value)
    if not scores:
        raise DataError(f"no person has a score for {question.id!r}; name another question")
    return {item: math.fsum(each) / len(each) for item, each in scores.items()}


def differing_turns(
    items: Sequence[Continuation],
    scores: Mapping[str, float],
    sources: tuple[str, str],
    *,
    n: int,
    least: float,
    rng: np.random.Generator,
) -> Drawn:
    """Up to `n` turns, drawn at random from those at which the two sources' scores differ.

    Args:
        items: continuations of both sources; the first of a source counts at each turn.
        scores: of items, by id.
        least: difference of the mean scores above which they differ, in the question's units.

    Raises:
        ConfigError: a source has no continuation, or both have none at one turn.
    """
    at: dict[str, dict[Where, Continuation]] = {name: {} for name in sources}
    for item in items:
        if item.source in at:
            at[item.source].setdefault(place_of(item), item)
    for name in sources:
        if not at[name]:
            known = ", ".join(sorted({str(item.source) for item in items})) or "none"
            raise ConfigError(f"no continuation has the source {name!r}; there are {known[:300]}")
    first, second = (at[name] for name in sources)
    both = [place for place in first if place in second]
    if not both:
        raise ConfigError(f"{sources[0]} and {sources[1]} have no turn in common")
    compared = [
        Duel(one, other, (scores[one.id], scores[other.id]))
        for one, other in ((first[place], second[place]) for place in both)
        if one.id in scores and other.id in scores and reference_of(one)
    ]
    differ = [one for one in compared if abs(one.scores[0] - one.scores[1]) > least]
    ordered = sorted(
        differ, key=lambda duel: place_of(duel.first)
    )  # whatever the order of the file
    turns = tuple(ordered[place] for place in rng.permutation(len(ordered))[:n])
    ahead = sum(one.scores[0] > one.scores[1] for one in differ)
    return Drawn(
        turns, len(compared), len(differ), (ahead, len(differ) - ahead), len(both) - len(compared)
    )


def shuffled(turns: Sequence[Duel], rng: np.random.Generator) -> list[Continuation]:
    """Both candidates of each turn, in an order that tells nothing about whose they are."""
    each = [item for one in turns for item in (one.first, one.second)]
    return [each[place] for place in rng.permutation(len(each))]
