"""Whether a calibrator serves every group alike: error and calibration by subgroup.

A group is compared with everybody else, item by item: all ratings of an item are left out
together where a standard error is sought.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import IntArray
from assize.calibrate._groups.held_out import HeldOut
from assize.judgments.membership import Labels
from assize.results import Column, Hidden
from assize.results.types import NAN
from assize.stats import Estimate, Interval, adjust, log_loss, mae, mean, rmse, smooth_calibration
from assize.stats._arrays import grouped
from assize.stats._intervals import ratio
from assize.stats._resampling import of_sums, standard_error
from assize.stats._studies.splits import NO_GROUP

HOW = Interval("percentile")
FLOOR = 1e-15  # of a probability whose logarithm is taken, as in stats


Alone = Annotated[Estimate | None, Column(digits=2, ends="none")]


@dataclass(frozen=True, slots=True)
class Group:
    """One group's figures; None where answers are not ordered, or nothing was tested.

    Args:
        field, group: `metadata.language`, `German`, or `(none)`; both "all" for everybody.
        n, items, unscored: ratings, what they are about, and those without a prediction.
        rmse, mae, bias: of the predicted mean less the answer; ordered answers only.
        log_loss: of the predicted answers.
        smooth_ece: smooth calibration error of `HeldOut.events`.
        bias_difference, log_loss_difference: the group's mean less that of all others.
        bias_p_value, log_loss_p_value: of these; NaN where the group is too small.
        bias_p_holm, log_loss_p_holm: by Holm's method over all groups and both figures.
    """

    field: str
    group: str
    n: int
    items: Hidden[int]
    unscored: int
    rmse: Alone
    mae: Hidden[Estimate | None]
    bias: Annotated[Estimate | None, Column(digits=2, ends="below")]
    log_loss: Alone
    smooth_ece: Annotated[Estimate | None, Column("ece", digits=2, ends="none")]
    bias_difference: Hidden[float | None] = None
    bias_p_value: Hidden[float | None] = None
    bias_p_holm: Annotated[float | None, Column("p bias", "p")] = None
    log_loss_difference: Hidden[float | None] = None
    log_loss_p_value: Hidden[float | None] = None
    log_loss_p_holm: Annotated[float | None, Column("p loss", "p")] = None


def audit_groups(
    held: HeldOut, labels: Labels, *, least: int = 30, rng: np.random.Generator
) -> tuple[Group, list[Group]]:
    """Everybody's figures, and those of every group, intervals by a bootstrap of items.

    Differences are tested with Student's t on the delete-one-item jackknife, adjusted by Holm's
    method over everything tested; groups under `least` are not tested, and their calibration error
    has no interval.
    """
    names = [
        (field, name, np.array([label == name for label in column], dtype=bool))
        for field, column in labels.items()
        for name in sorted(set(column), key=_by_name)
    ]
    losses = _losses(held)
    groups: list[Group] = []
    tests: list[tuple[int, str, float, float]] = []
    for field, name, rows in names:
        group = _group(held.take(rows), field, name or NO_GROUP, rng, least)
        for figure, values in losses.items():
            gap, p = difference(values, rows, held.item)
            if name is None or min(group.n, (~np.isnan(values[~rows])).sum()) < least:
                p = NAN
            tests.append((len(groups), figure, gap, p))
        groups.append(group)
    for (row, figure, gap, p), p_holm in zip(tests, adjust([p for *_, p in tests]), strict=True):
        outcome: dict[str, Any] = {"difference": gap, "p_value": p, "p_holm": p_holm}
        fields = {f"{figure}_{name}": value for name, value in outcome.items()}
        groups[row] = replace(groups[row], **fields)
    return _group(held, "all", "all", rng), groups


def _by_name(name: str | None) -> tuple[bool, bool, int, str]:
    """Whole numbers by size, then other names; last what has none."""
    text = name or ""
    number = text.isascii() and text.isdigit() and len(text) < 19
    return name is None, not number, int(text) if number else 0, text


def _losses(held: HeldOut) -> dict[str, FloatArray]:
    """What is tested: one number a rating (N,), NaN where it is unscored."""
    own = held.p[np.arange(len(held.y)), held.y]
    losses = {"log_loss": -np.log(np.clip(own, FLOOR, 1))}
    if held.scale.ordered:
        values = np.array(held.scale.values)
        losses = {"bias": held.p @ values - values[held.y]} | losses
    return losses


def _group(held: HeldOut, field: str, name: str, rng: np.random.Generator, least: int = 0) -> Group:
    """One group; below `least` ratings the calibration error has no interval."""
    clusters = held.item
    errors: dict[str, Estimate | None] = dict.fromkeys(("rmse", "mae", "bias"))
    scored = ~np.isnan(held.p[:, 0])
    small = int(scored.sum()) < least
    if held.scale.ordered:
        values = np.array(held.scale.values)
        expected, true = held.p @ values, values[held.y]
        errors["rmse"] = rmse(expected, true, clusters=clusters, interval=HOW)
        errors["mae"] = mae(expected, true, clusters=clusters, interval=HOW)
        errors["bias"] = mean(expected - true, clusters=clusters, interval=HOW)
    loss = log_loss(held.p, held.y, clusters=clusters, interval=HOW)
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
    error = replace(error, n=error.n // width, unscored=error.unscored // width)
    items = len(np.unique(held.item[scored]))
    return Group(
        field,
        name,
        int(scored.sum()),
        items,
        int((~scored).sum()),
        rmse=errors["rmse"],
        mae=errors["mae"],
        bias=errors["bias"],
        log_loss=loss,
        smooth_ece=error,
    )


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
