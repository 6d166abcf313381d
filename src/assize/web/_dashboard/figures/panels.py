"""Whose answers are looked at: all predicted raters, all people, one judge."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.web._dashboard.prepared.cells import STEPS
from assize.web._dashboard.prepared.view import Cells, FloatArray, View

_GROUPS = (
    ("trusted", "trusted raters"),
    ("calibrated", "calibrated raters"),
    ("people", "people"),
    ("models", "models"),
)
_APART = 40  # judges up to which each can be looked at alone


def panels(view: View) -> Mapping[str, tuple[int, ...]]:
    """By name the places of its raters: first groups, then each judge; the first is the usual one.

    Gold and the prediction for a rater who is not known are in no group. Groups of one have the
    name of their only member.
    """
    found: dict[str, tuple[int, ...]] = {}
    for group, name in _GROUPS:
        members = tuple(at for at, one in enumerate(view.raters) if one.group == group)
        if len(members) > 1:
            found[name] = members
        elif members:
            found[view.raters[members[0]].name] = members
    if len(view.raters) <= _APART:
        found |= {one.name: (at,) for at, one in enumerate(view.raters)}
    elif not found:
        found = {one.name: (at,) for at, one in enumerate(view.raters[:_APART])}
    return found


def panel_of(view: View, name: str | None) -> tuple[int, ...]:
    """The raters of a panel; of the usual one where none is named.

    Raises:
        ConfigError: there is none of that name.
    """
    known = panels(view)
    if name is None or name == "":
        return next(iter(known.values()))
    if name not in known:
        some = ", ".join(list(known)[:8])
        raise ConfigError(f"nobody here is called {name!r}; there are {some}")
    return known[name]


def aggregated(cells: Cells, panel: tuple[int, ...], size: int) -> FloatArray:
    """(U,) the mean of the raters' numbers for each conversation; NaN where there is none.

    Raters who gave none do not count.
    """
    total, count = np.zeros(size), np.zeros(size)
    for rater in panel:
        mine = cells.of(rater)
        unit = cells.unit[mine]
        total[unit] += cells.value[mine]
        count[unit] += 1
    with np.errstate(invalid="ignore"):
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def most_given(cells: Cells, panel: tuple[int, ...], size: int, answers: int) -> FloatArray:
    """(U,) the answer to a nominal question that most of the raters give, as a place.

    A predicted rater gives each answer with its probability.

    Args:
        answers: K, how many the question names.

    Returns:
        K where several answers come first: the raters are split; NaN where there is no answer.
    """
    votes = np.zeros((answers, size), dtype=np.int64)  # whole numbers, so that equal ones are equal
    for rater in panel:
        mine = cells.of(rater)
        if mine.stop - mine.start == size:  # the rater answered about every conversation
            votes += chances(cells, rater, answers)
        else:
            votes[:, cells.unit[mine]] += chances(cells, rater, answers)
    most = votes.max(axis=0)
    found: FloatArray = votes.argmax(axis=0).astype(np.float64)
    found[(votes == most).sum(axis=0) > 1] = answers
    found[most == 0] = np.nan
    return found


def chances(cells: Cells, rater: int, answers: int) -> NDArray[np.int32]:
    """(K, C) how probably a rater gives each answer to a nominal question, in 65,536ths."""
    mine = cells.of(rater)
    found = np.zeros((answers, mine.stop - mine.start), dtype=np.int32)
    if cells.drawn[rater] and cells.cuts is not None:
        places = cells.levels.astype(np.intp).tolist()
        found[places[:-1]] = cells.cuts[:, mine]  # up to and with this answer
        found[places[-1]] = STEPS
        for before, place in reversed(list(pairwise(places))):
            found[place] -= found[before]
    else:
        found[cells.value[mine].astype(np.intp), np.arange(found.shape[1])] = STEPS
    return found


def apart(cells: Cells, panel: tuple[int, ...]) -> tuple[FloatArray, np.ndarray, np.ndarray]:
    """Each rater's number for each conversation: value, conversation and rater, (P,) each."""
    slices = [cells.of(rater) for rater in panel]
    return (
        np.concatenate([cells.value[one] for one in slices]),
        np.concatenate([cells.unit[one] for one in slices]),
        np.repeat(np.array(panel, dtype=np.int32), [one.stop - one.start for one in slices]),
    )
