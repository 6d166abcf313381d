"""What improving one question would be worth for the main one, by the networks' gradients.

Let y0 and yi be the expected answers of two networks that read the same x. Along grad yi,
the direction that raises yi fastest, a step that raises yi by 1 raises y0 by

    (grad y0 . grad yi) / (grad yi . grad yi)

in the first order. Not every direction is one that a conversation could move in, so two
restrictions are offered: those that keep each question's mass (`simplex`), and the principal
components of the items' x (`manifold`).

Source: Hashemi et al. (2024), appendix A. The paper leaves open how to restrict; here both
gradients are projected. Along a simplex the bounds at 0 are not held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.calibrate._calibrator import Calibrator, check_questions
from assize.calibrate._data.arrays import moments
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import UNKNOWN
from assize.results import Column
from assize.results.types import Estimate
from assize.stats._intervals import mean

Along = Literal["free", "simplex", "manifold"]
WAYS: tuple[Along, ...] = get_args(Along)
FLAT = 1e-12  # of grad yi . grad yi, below which nothing raises yi

Number = Annotated[float, Column(digits=2, ends="none")]
Refitted = Annotated[Estimate | None, Column(digits=2)]


@dataclass(frozen=True, slots=True, eq=False)
class Importance:
    """What a point more of one question is worth for the main one.

    Args:
        along: kind of directions: free, simplex or manifold.
        mean, median: over the items; few flat gradients can carry a mean away.
        pooled: the sum of grad y0 . grad yi over that of grad yi . grad yi: steep items count more.
        by_item: (N,) NaN where nothing is known or nothing raises the question.
        mean_refitted, pooled_refitted: with the intervals of networks refitted on resampled
            ratings; None without.
    """

    question: str
    along: Along
    mean: Annotated[Estimate, Column(digits=2)]
    median: Number
    pooled: Number
    by_item: FloatArray = field(repr=False)
    mean_refitted: Refitted = None
    pooled_refitted: Refitted = None


def measure_importance(
    calibrators: Sequence[Calibrator],
    features: Features,
    raters: Sequence[str],
    *,
    variance: float = 0.9,
) -> list[Importance]:
    """Return the importance of each question for the main one, along each kind of directions.

    Args:
        calibrators: networks of the main question, then of the others.
        variance: share that the principal components hold.
    """
    clusters = [item for item, _ in features.units]
    found = []
    products = compare_slopes(calibrators, features, raters, variance)
    for calibrator, ways in zip(calibrators[1:], products, strict=True):
        for way, (along, steep) in zip(WAYS, ways, strict=True):
            each = along / steep
            median = np.nan if np.isnan(each).all() else float(np.nanmedian(each))
            pooled = float(averages(np.stack([along, steep]), np.ones(len(each)))[1])
            over_items = mean(each, clusters=clusters)
            found.append(Importance(calibrator.target.id, way, over_items, median, pooled, each))
    return found


def compare_slopes(
    calibrators: Sequence[Calibrator], features: Features, raters: Sequence[str], variance: float
) -> FloatArray:
    """Return grad y0 . grad yi and grad yi . grad yi of the items; NaN where nothing raises yi.

    Returns:
        (questions beside the main one, kinds of directions, 2, N).
    """
    if not 0 < variance <= 1:
        raise ConfigError(f"the share of variance must be above 0 and at most 1, not {variance}")
    check_questions(calibrators)
    features = features.aligned(calibrators[0].blocks)
    known = ~features.empty
    if not known.any():
        raise DataError("there is no item with an answer that the calibrators read")
    components = manifold(features.x[known], variance)
    slopes = [slopes_of(one, calibrators[0], features, raters) for one in calibrators]
    found = np.full((len(slopes) - 1, len(WAYS), 2, len(known)), np.nan)
    for place, way in enumerate(WAYS):
        main, *others = (_along(slope, way, features, components) for slope in slopes)
        for question, other in enumerate(others):
            steep = (other**2).sum(axis=1)
            pair = [(main * other).sum(axis=1), steep]
            found[question, place] = np.where(known & (steep > FLAT), pair, np.nan)
    return found


def averages(products: FloatArray, times: FloatArray) -> FloatArray:
    """Mean of the items' ratios, and ratio of the sums (..., 2), of products (..., 2, N).

    Args:
        times: (N,) how often each item counts.
    """
    along, steep = products[..., 0, :], products[..., 1, :]
    weight = np.where(np.isnan(along), 0, times)
    with np.errstate(invalid="ignore"):
        over_items = np.nansum(weight * along / steep, axis=-1) / weight.sum(axis=-1)
        pooled = np.nansum(weight * along, axis=-1) / np.nansum(weight * steep, axis=-1)
    return np.stack([over_items, pooled], axis=-1)


def _along(slope: FloatArray, way: Along, features: Features, components: FloatArray) -> FloatArray:
    """Slopes (N, D) with what they have in other directions left out: (N, any)."""
    if way == "free":
        return slope
    if way == "manifold":
        return slope @ components.T  # lengths and angles are those of the projection
    found = slope.copy()
    for block, place in zip(features.blocks, features.columns, strict=True):
        if block.answers:
            found[:, place] -= slope[:, place].mean(axis=1, keepdims=True)
            away = (features.x[:, place] == 0).all(axis=1)  # does not apply: cannot move
            found[away, place] = 0
    return found


def manifold(x: FloatArray, variance: float) -> FloatArray:
    """Principal directions (C, D) of items (N, D) that hold a share of their variance."""
    middle, _ = moments(x)
    _, sizes, directions = np.linalg.svd(np.nan_to_num(x - middle), full_matrices=False)
    held = sizes**2
    if held.sum() <= FLAT:
        return directions[:0]
    kept = np.searchsorted(np.cumsum(held) / held.sum(), min(variance, 1 - FLAT)) + 1
    return np.asarray(directions[:kept])


def slopes_of(
    calibrator: Calibrator, main: Calibrator, features: Features, raters: Sequence[str]
) -> FloatArray:
    """Gradient (N, D) of the raters' average expected answer."""
    name, gradient = calibrator.target.id, calibrator.abilities.gradient
    if gradient is None:
        raise ConfigError(
            f"the calibrator of {name!r} is no network; fit it as Published (--network paper)"
        )
    calibrator.target.check_ordered("there is no score to improve")
    if calibrator.blocks != main.blocks:
        raise ConfigError(
            f"the calibrators of {main.target.id!r} and {name!r} read different answers;"
            " fit both on the same"
        )
    places = [UNKNOWN if one == "unknown" else calibrator.raters.index(one) for one in raters]
    return gradient(features.x, places)
