"""Which conversations belong to a group, whose answers count, and which are pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.spread.options import SpreadOptions
from assize.spread.ratings import GROUPS, PREDICTED, IntArray, Ratings

ALL = "all conversations"
MOST = 6  # groups that are told apart
_ENOUGH = 0.5  # share of the smaller group's prompts that must stand in both
_LEAST = 3  # pairs


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Conversations by group.

    Args:
        code: (U,) the group of each, -1 for none.
        names: of the groups, the one that others are compared with first.
        left_out: values that have no group, as there are more than six; those of the fewest.
    """

    code: IntArray
    names: Sequence[str]
    left_out: Sequence[str] = ()


def make_groups(ratings: Ratings, options: SpreadOptions) -> Groups:
    """Return the groups that the options ask for; ConfigError where there is no such value."""
    inside = np.ones(ratings.size, dtype=bool)
    if options.where:
        fields = [field for field in ratings.fields if options.where.startswith(f"{field}:")]
        if not fields:
            known = ", ".join(ratings.fields) or "none"
            raise ConfigError(f"where {options.where}: give field:value; fields are {known}")
        field = max(fields, key=len)
        codes, words = ratings.values_of(field)
        inside = codes == _index(words, options.where[len(field) + 1 :], field)
    if not options.by:
        return Groups(np.where(inside, 0, -1), [ALL])
    codes, words = ratings.values_of(options.by)
    counts = np.bincount(codes[inside], minlength=len(words))
    largest = np.argsort(-counts, kind="stable")[:MOST].tolist()
    chosen = sorted(value for value in largest if counts[value])
    if options.first:
        first = _index(words, options.first, options.by)
        chosen = [first, *(value for value in chosen if value != first)][:MOST]
    rank = np.full(len(words), -1)
    rank[chosen] = np.arange(len(chosen))
    left_out = [words[value] for value in np.flatnonzero(counts) if value not in chosen]
    return Groups(np.where(inside, rank[codes], -1), [words[value] for value in chosen], left_out)


def _index(words: Sequence[str], word: str, field: str) -> int:
    if word not in words:
        raise ConfigError(f"{field} is never {word!r}; it is {', '.join(words[:8])}")
    return list(words).index(word)


def choose_panel(ratings: Ratings, names: Sequence[str], question: Question) -> list[int]:
    """Return the rows of the raters whose answers to a question count.

    A question that none of those named answered has the usual ones: the first of the groups
    calibrated, people and models that answered.

    Args:
        names: raters, also predicted ones without `calibration:`, or groups; () for the usual.

    Raises:
        ConfigError: nobody is called so.
    """
    raters = list(ratings.raters.items())
    for name in names:
        if name not in (
            *GROUPS,
            *ratings.raters,
            *(entry.removeprefix(PREDICTED) for entry, _ in raters),
        ):
            known = ", ".join([*GROUPS, *list(ratings.raters)[:8]])
            raise ConfigError(f"nobody here is called {name!r}; there are {known}")
    answered = ~np.isnan(ratings.answers[question.id].values[0]).all(axis=1)
    for target in (names, *([group] for group in GROUPS), list(ratings.raters)):
        rows = [
            row
            for row, (name, group) in enumerate(raters)
            if answered[row] and {name, group, name.removeprefix(PREDICTED)} & set(target)
        ]
        if rows:
            return rows
    raise ConfigError(f"nobody answered {question.id}")


def name_panel(ratings: Ratings, panel: Sequence[int]) -> str:
    """Return who the raters of a panel are, in words."""
    names = [list(ratings.raters)[row] for row in panel]
    if len(names) == 1:
        return names[0]
    groups = {ratings.raters[name] for name in names}
    words = {"calibrated": "predicted raters"}
    kinds = sorted(words.get(group, group or "judges") for group in groups)
    return f"{len(names)} {' and '.join(kinds)}"


def pair_groups(ratings: Ratings, groups: Groups, second: int) -> tuple[IntArray, IntArray] | None:
    """Return by conversation (U,) its pair in the first group, and in another; -1 for none.

    Conversations that begin with the same prompt are a pair; several of one prompt are one side.

    Returns:
        None where fewer than half of the smaller group's prompts stand in both.
    """
    prompts = ratings.items["prompt"].to_numpy()
    sides = [np.where(groups.code == group, prompts, 0) for group in (0, second)]
    first, other = (np.unique(side[side > 0]) for side in sides)
    both = np.intersect1d(first, other)
    if len(both) < max(_LEAST, _ENOUGH * min(len(first), len(other))):
        return None
    pairs = []
    for side in sides:
        position = np.minimum(np.searchsorted(both, side), len(both) - 1)
        pairs.append(np.where(both[position] == side, position, -1))
    return pairs[0], pairs[1]
