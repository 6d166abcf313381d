"""Whether a calibrator serves every group alike: error and calibration by subgroup.

A group is compared with everybody else, item by item: all ratings of an item are left out
together where a standard error is sought.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from assize.agreement.membership import Labels
from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import IntArray
from assize.calibration.groups.held_out import HeldOut
from assize.results.types import NAN
from assize.stats import Estimate, Interval, holm, log_loss, mae, mean, rmse, smooth_calibration
from assize.stats.arrays import grouped
from assize.stats.estimate import nullable
from assize.stats.intervals import ratio
from assize.stats.resampling import of_sums, standard_error

LEAST = 30  # ratings in a group that is tested
HOW = Interval("percentile")
FLOOR = 1e-15  # of a probability whose logarithm is taken, as in stats


@dataclass(frozen=True, slots=True)
class Group:
    """One group's figures."""

    # field, name: `metadata.language`, `German`; both "all" for everybody
    field: str
    name: str
    n: int
    items: int
    unscored: int
    # by name: RMSE, MAE and bias (predicted mean less answer; ordered answers only), log loss,
    # smooth calibration error of `HeldOut.events`
    figures: Mapping[str, Estimate]
    # by name (`bias`, `log_loss`): the group's mean less that of all others
    apart: Mapping[str, float]
    p_values: Mapping[str, float]  # of these differences; NaN where the group is too small
    adjusted: Mapping[str, float]  # the same by Holm's method over all groups and both figures

    @property
    def tested(self) -> bool:
        """Whether any difference was."""
        return not all(np.isnan(value) for value in self.p_values.values())

    def to_json(self) -> dict[str, object]:
        """As it stands in `--json`."""
        return {
            "field": self.field,
            "group": self.name,
            "n": self.n,
            "items": self.items,
            "unscored": self.unscored,
            **{name: value.to_json() for name, value in self.figures.items()},
            "tests": {
                name: {
                    "difference": nullable(self.apart[name]),
                    "p_value": nullable(self.p_values[name]),
                    "holm": nullable(self.adjusted[name]),
                }
                for name in self.apart
            },
        }


def audit(
    held: HeldOut, labels: Labels, *, least: int = LEAST, rng: np.random.Generator
) -> tuple[Group, list[Group]]:
    """Everybody's figures, and those of every group, intervals by a bootstrap of items.

    Differences are tested with Student's t on the delete-one-item jackknife, adjusted by Holm's
    method over everything tested; groups under `least` are not tested, and their calibration error
    has no interval.
    """
    names = [
        (field, name, np.array([one == name for one in column], dtype=bool))
        for field, column in labels.items()
        for name in sorted(set(column), key=_by_name)
    ]
    losses = _losses(held)
    found = []
    for field, name, rows in names:
        group = _group(held.take(rows), field, name or "", rng, least)
        apart, p_values = {}, {}
        for figure, values in losses.items():
            apart[figure], p_values[figure] = difference(values, rows, held.item)
            if name is None or min(group.n, (~np.isnan(values[~rows])).sum()) < least:
                p_values[figure] = NAN
        found.append(replace(group, apart=apart, p_values=p_values))
    return _group(held, "all", "all", rng), _adjusted(found)


def _by_name(name: str | None) -> tuple[bool, bool, int, str]:
    """Whole numbers by size, then other names; last what has none."""
    text = name or ""
    number = text.isascii() and text.isdigit() and len(text) < 19
    return name is None, not number, int(text) if number else 0, text


def worst_groups(
    everybody: Group, groups: list[Group], least: int = LEAST
) -> Iterator[dict[str, object]]:
    """By field and figure, the worst group of at least that size and how far it is from all."""
    for field in dict.fromkeys(group.field for group in groups):
        some = [one for one in groups if one.field == field and one.n >= least and one.name]
        for figure in everybody.figures:
            each = {one.name: abs(one.figures[figure].estimate) for one in some}
            each = {name: value for name, value in each.items() if not np.isnan(value)}
            if each:
                name = max(each, key=lambda one: each[one])
                gap = each[name] - abs(everybody.figures[figure].estimate)
                yield {"field": field, "figure": figure, "group": name, "gap": gap}


def _losses(held: HeldOut) -> dict[str, FloatArray]:
    """What is tested: one number a rating (N,), NaN where it is unscored."""
    own = held.p[np.arange(len(held.y)), held.y]
    found = {"log_loss": -np.log(np.clip(own, FLOOR, 1))}
    if held.scale.ordered:
        values = np.array(held.scale.values)
        found = {"bias": held.p @ values - values[held.y]} | found
    return found


def _group(held: HeldOut, field: str, name: str, rng: np.random.Generator, least: int = 0) -> Group:
    """One group; below `least` ratings the calibration error has no interval."""
    clusters, figures = held.item, {}
    scored = ~np.isnan(held.p[:, 0])
    small = int(scored.sum()) < least
    if held.scale.ordered:
        values = np.array(held.scale.values)
        said, true = held.p @ values, values[held.y]
        figures["rmse"] = rmse(said, true, clusters=clusters, how=HOW, rng=rng)
        figures["mae"] = mae(said, true, clusters=clusters, how=HOW, rng=rng)
        figures["bias"] = mean(said - true, clusters=clusters, how=HOW, rng=rng)
    figures["log_loss"] = log_loss(held.p, held.y, clusters=clusters, how=HOW, rng=rng)
    predicted, true = held.events
    again = np.repeat(clusters, predicted.shape[1])
    error = smooth_calibration(
        predicted.ravel(),
        true.ravel(),
        clusters=again,
        resamples=200,
        points=2,
        rng=None if small else rng,
    ).error
    if small and error.reason is not None:
        error = replace(error, reason=f"no interval of fewer than {least} ratings")
    width = predicted.shape[1]
    figures["smooth_ece"] = replace(error, n=error.n // width, unscored=error.unscored // width)
    items = len(np.unique(held.item[scored]))
    return Group(field, name, int(scored.sum()), items, int((~scored).sum()), figures, {}, {}, {})


def difference(values: FloatArray, rows: NDArray[np.bool_], item: IntArray) -> tuple[float, float]:
    """Mean of `values` (N,) in `rows` less that in the others, and its jackknife p-value."""
    keep = ~np.isnan(values)
    inside, y = rows[keep].astype(np.float64), values[keep]
    columns = np.column_stack([inside, inside * y, 1 - inside, (1 - inside) * y])

    def apart(sums: FloatArray) -> FloatArray:
        return ratio(sums[..., 1], sums[..., 0]) - ratio(sums[..., 3], sums[..., 2])

    groups = grouped(item, keep)
    value = float(apart(columns.sum(axis=0)))
    if np.isnan(value) or groups.count < 2:
        return value, NAN
    error = standard_error(of_sums(columns, apart, groups).left_out())
    if not error > 0:
        return value, NAN
    # The smaller side's items are what the standard error rests on.
    sides = [len(np.unique(item[keep][inside == side])) for side in (0, 1)]
    return value, float(2 * stdtr(max(1, min(sides) - 1), -abs(value) / error))


def _adjusted(groups: list[Group]) -> list[Group]:
    each = [value for group in groups for value in group.p_values.values()]
    adjusted = iter(holm(each).tolist() if each else [])
    return [
        replace(group, adjusted={name: next(adjusted) for name in group.p_values})
        for group in groups
    ]
