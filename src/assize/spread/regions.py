"""The conversations behind a part of a chart: exactly those whose numbers lie in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.judgments.values import name_answer
from assize.spread.groups import make_groups
from assize.spread.look import Look, look_at
from assize.spread.options import SpreadOptions
from assize.spread.ratings import FloatArray, Ratings

SPLIT = "(split)"
"""What the answer of a conversation is called whose raters give several equally often."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a chart.

    Args:
        low, high: numbers equal to either are in it.
        answer: of a nominal question, in place of both; "" for numbers.
        group: only conversations of this group; "" for all.
    """

    question: str
    low: float = -np.inf
    high: float = np.inf
    answer: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A conversation of a region; kept apart, a rater's answer about it.

    Args:
        position: its row in the ratings.
        value: the answer, or the number.
        ranked: the number that orders the list; NaN for none.
    """

    position: int
    item: str
    rater: str
    value: str
    ranked: float


@dataclass(frozen=True, slots=True)
class RegionList:
    """A part of what lies in a region; `total` is how much there is."""

    total: int
    rows: Sequence[Listed]


def list_region(
    ratings: Ratings,
    options: SpreadOptions,
    region: Region,
    *,
    main: str = "",
    start: int = 0,
    count: int | None = None,
) -> RegionList:
    """Return what lies in a region, worst first.

    Answers to a nominal question have no worst: their conversations are ordered by the means of
    the question `main`, those without one last.

    Args:
        start, count: the rows that are returned; all when None.

    Raises:
        ConfigError: there is no such question, answer, group, field or rater.
    """
    groups = make_groups(ratings, options)
    if region.group and region.group not in groups.names:
        raise ConfigError(f"no group {region.group!r}; there are {', '.join(groups.names)}")
    look = look_at(ratings, options, ratings.question(region.question), groups)
    target = list(groups.names).index(region.group) if region.group else None
    inside = groups.code >= 0 if target is None else groups.code == target
    numbers = numbers_by_rater(look) if options.apart else numbers_together(look)[None]
    low, high, names = region.low, region.high, []
    if look.question.kind == "nominal":
        names = [*look.question.answers, SPLIT]
        if region.answer not in names:
            raise ConfigError(f"answer {region.answer!r}: there are {', '.join(names)}")
        low = high = names.index(region.answer)
    rater, position = np.nonzero((numbers >= low) & (numbers <= high) & inside)
    values = numbers[rater, position]
    ranked = values
    if names:
        ranked = np.full(len(values), np.nan)
        if main:
            ordering = look_at(ratings, options, ratings.question(main), groups)
            ranked = numbers_together(ordering)[position]
    by = ratings.question(main) if names and main else look.question
    order = np.argsort(-ranked if by.higher == "worse" else ranked, kind="stable")
    raters, ids = list(ratings.raters), ratings.items["id"]
    stop = len(order) if count is None else start + count
    rows = [
        Listed(
            int(position[row]),
            ids[int(position[row])].as_py(),
            raters[look.panel[int(rater[row])]] if options.apart else "",
            name_answer(look.question, names[int(values[row])] if names else float(values[row])),
            float(ranked[row]),
        )
        for row in order[start:stop].tolist()
    ]
    return RegionList(len(order), rows)


def numbers_together(look: Look) -> FloatArray:
    """(U,) the mean of each conversation; of a nominal question the answer that most raters give,
    as a place, and one more for split raters."""
    if look.question.kind != "nominal":
        return look.conversation_means
    return most_frequent(look.observed.total, look.observed.count > 0)


def numbers_by_rater(look: Look) -> FloatArray:
    """(R, U) the same of each rater."""
    values = look.answers.values[:, look.panel]
    if look.question.kind != "nominal":
        return np.asarray(values[0])
    return most_frequent(np.nan_to_num(values), ~np.isnan(values[0]))


def most_frequent(votes: NDArray[np.floating], known: NDArray[np.bool_]) -> FloatArray:
    """Return the place of the largest of K votes (K, ...); K where several are; NaN for none."""
    most = votes.max(axis=0)
    position = votes.argmax(axis=0).astype(float)
    position[np.isclose(votes, most).sum(axis=0) > 1] = len(votes)
    return np.where(known, position, np.nan)
