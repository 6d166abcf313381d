"""Turns at which people scored two sources differently, and a random draw of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.judgments import JudgmentTable
from assize.reference._continuations.context import place_of
from assize.reference._rating_sheets.workbook import reference_of
from assize.reference._ratings import Target, read_ratings


@dataclass(frozen=True, slots=True)
class SampledTurns:
    """The turns that were drawn, and what they were drawn from.

    Args:
        turns: the continuations of both sources, in random order.
        compared: turns at which both sources have a score and there is a reference.
        differing: those at which the scores differ.
        higher: of these, how many times each source is ahead.
        unscored: turns with both sources, at which a score or the reference is missing.
    """

    turns: tuple[tuple[Continuation, Continuation], ...]
    compared: int
    differing: int
    higher: tuple[int, int]
    unscored: int


def mean_scores(ratings: JudgmentTable, question: Question) -> dict[str, float]:
    """The mean of people's scores of each item; rows by models and metrics count for nothing.

    Raises:
        DataError: no person answered the question.
    """
    rows = ratings.where(kind=("person", None), question=question.id)
    places = {item: index for index, item in enumerate(rows.items)}
    means = read_ratings(rows, Target((question.id,)), places).means
    scored = np.flatnonzero(~np.isnan(means)).tolist()
    if not scored:
        raise DataError(f"no person has a score for {question.id!r}; name another question")
    return {rows.items[index]: float(means[index]) for index in scored}


def differing_turns(
    items: Sequence[Continuation],
    scores: Mapping[str, float],
    sources: tuple[str, str],
    *,
    n: int,
    least: float,
    rng: np.random.Generator,
) -> SampledTurns:
    """Up to `n` turns, drawn at random from those at which the two sources' scores differ.

    Args:
        items: continuations of both sources; the first of a source counts at each turn.
        scores: of items, by id.
        least: difference of the mean scores above which they differ, in the question's units.

    Raises:
        ConfigError: a source has no continuation, or both have none at one turn.
    """
    by_place: dict[str, dict[tuple[str, int], Continuation]] = {source: {} for source in sources}
    for item in items:
        if item.source in by_place:
            by_place[item.source].setdefault(place_of(item), item)
    for source, turns in by_place.items():
        if not turns:
            known = ", ".join(sorted({str(item.source) for item in items})) or "none"
            raise ConfigError(f"no continuation has the source {source!r}; there are {known[:300]}")
    first, second = by_place.values()
    both = sorted(first.keys() & second.keys())  # whatever the order of the file
    if not both:
        raise ConfigError(f"{sources[0]} and {sources[1]} have no turn in common")
    compared = [
        (first[place], second[place])
        for place in both
        if {first[place].id, second[place].id} <= scores.keys() and reference_of(first[place])
    ]
    gaps = np.array([scores[one.id] - scores[other.id] for one, other in compared])
    differ = np.flatnonzero(np.abs(gaps) > least)
    ahead = int((gaps[differ] > 0).sum())
    return SampledTurns(
        tuple(compared[index] for index in rng.permutation(differ)[:n]),
        len(compared),
        len(differ),
        (ahead, len(differ) - ahead),
        len(both) - len(compared),
    )


def shuffled(
    turns: Sequence[tuple[Continuation, Continuation]], rng: np.random.Generator
) -> list[Continuation]:
    """Both candidates of each turn, in an order that tells nothing about whose they are."""
    candidates = [item for turn in turns for item in turn]
    return [candidates[index] for index in rng.permutation(len(candidates))]
