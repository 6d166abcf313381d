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
from numpy.typing import NDArray

from assize.base.errors import ConfigError, DataError
from assize.calibrate._calibrator import Calibrator
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


@dataclass(frozen=True, slots=True, eq=False)
class Directions:
    """Along which directions slopes of items are taken, by kind."""

    features: Features
    components: FloatArray  # (C, D) principal ones

    @classmethod
    def of(cls, features: Features, variance: float) -> Directions:
        """Learnt from the items about which anything is known."""
        return cls(features, manifold(features.x[~features.empty], variance))

    def along(self, slope: FloatArray, way: Along) -> FloatArray:
        """Slopes (N, D) with what they have in other directions left out: (N, any)."""
        if way == "free":
            return slope
        if way == "manifold":
            return slope @ self.components.T  # lengths and angles are those of the projection
        return _within_simplex(slope, self.features)


def measure_importance(
    main: Calibrator,
    others: Sequence[Calibrator],
    features: Features,
    raters: Sequence[str],
    *,
    variance: float = 0.9,
) -> list[Importance]:
    """Return the importance of each question for the main one, along each kind of directions.

    Args:
        variance: share that the principal components hold.
    """
    names, features, directions = prepared(main, others, features, variance)
    known = ~features.empty
    clusters = [item for item, _ in features.units]
    slopes = [slopes_of(one, main, features, raters) for one in (main, *others)]
    found = []
    for name, slope in zip(names[1:], slopes[1:], strict=True):
        for way in WAYS:
            first, second = (directions.along(one, way) for one in (slopes[0], slope))
            along, steep = products(first, second, known)
            each, median, pooled = along / steep, np.nan, np.nan
            if not np.isnan(each).all():
                median, pooled = np.nanmedian(each), np.nansum(along) / np.nansum(steep)
            over_items = mean(each, clusters=clusters)
            found.append(Importance(name, way, over_items, float(median), float(pooled), each))
    return found


def prepared(
    main: Calibrator,
    others: Sequence[Calibrator],
    features: Features,
    variance: float,
) -> tuple[list[str], Features, Directions]:
    """Questions' names, the items as the calibrators read them, and their directions."""
    if not 0 < variance <= 1:
        raise ConfigError(f"the share of variance must be above 0 and at most 1, not {variance}")
    names = [one.target.id for one in (main, *others)]
    if len(set(names)) < len(names):
        raise ConfigError(f"each question once; received {', '.join(names)}")
    features = features.aligned(main.blocks)
    if features.empty.all():
        raise DataError("there is no item with an answer that the calibrators read")
    return names, features, Directions.of(features, variance)


def manifold(x: FloatArray, variance: float) -> FloatArray:
    """Principal directions (C, D) of items (N, D) that hold a share of their variance."""
    known = ~np.isnan(x)
    middle = np.where(known, x, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    _, sizes, directions = np.linalg.svd(np.where(known, x - middle, 0), full_matrices=False)
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
    if not calibrator.target.ordered:
        raise ConfigError(f"the answers to {name!r} are not ordered: there is no score to improve")
    if calibrator.blocks != main.blocks:
        raise ConfigError(
            f"the calibrators of {main.target.id!r} and {name!r} read different answers;"
            " fit both on the same"
        )
    places = [UNKNOWN if one == "unknown" else calibrator.raters.index(one) for one in raters]
    return gradient(features.x, places)


def _within_simplex(slope: FloatArray, features: Features) -> FloatArray:
    found = slope.copy()
    for block, place in zip(features.blocks, features.columns, strict=True):
        if block.answers:
            found[:, place] -= slope[:, place].mean(axis=1, keepdims=True)
            away = (features.x[:, place] == 0).all(axis=1)  # does not apply: cannot move
            found[away, place] = 0
    return found


def products(
    main: FloatArray, other: FloatArray, known: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """(N,) grad y0 . grad yi and grad yi . grad yi; NaN where nothing raises yi."""
    steep = (other**2).sum(axis=1)
    there = known & (steep > FLAT)
    along = np.where(there, (main * other).sum(axis=1), np.nan)
    return along, np.where(there, steep, np.nan)
