"""Whose answers are looked at: all predicted raters, all people, one judge."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assize.errors import ConfigError
from assize.webapp.dashboard.prepared.view import Cells, FloatArray, View

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


def apart(cells: Cells, panel: tuple[int, ...]) -> tuple[FloatArray, np.ndarray, np.ndarray]:
    """Each rater's number for each conversation: value, conversation and rater, (P,) each."""
    slices = [cells.of(rater) for rater in panel]
    return (
        np.concatenate([cells.value[one] for one in slices]),
        np.concatenate([cells.unit[one] for one in slices]),
        np.repeat(np.array(panel, dtype=np.int32), [one.stop - one.start for one in slices]),
    )
