"""From scores in [0, 1] to people's scale: an isotonic fit on some of their ratings.

The map is fixed when it is fitted and kept with the evaluator, so that a conversation's rating
does not depend on its neighbours. It never falls; where ratings say nothing it is flat, so the
order of items is the scores', and ratings can tie.

Letters: N labels, K knots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError
from assize.base.record_parts import FIGURES
from assize.results import Column
from assize.stats import Estimate, fit_isotonic
from assize.stats._arrays import FloatArray
from assize.stats._intervals import mean as mean_of
from assize.stats._studies.splits import dealt

Figure = Annotated[float, FIGURES]
FEWEST = 20  # labels; with fewer a map is noise
FOLDS = 5
CONFIDENCE = 0.9
VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class RatingScale:
    """A monotone map from scores to ratings, with the error it had on ratings it had not seen.

    Args:
        knots, levels: (K,) scores, strictly rising, and the ratings there, never falling.
        low, high: ends of people's scale.
        n: labels it was fitted on.
        error, constant: cross-validated mean absolute error, of the map, and of the mean
            rating in its place.
        half: half of the interval that should hold `CONFIDENCE` of new ratings (infinite
            where there were too few).
        coverage: share of the labels that it held, each by errors of the other folds.
    """

    knots: FloatArray = field(repr=False)
    levels: FloatArray = field(repr=False)
    low: float
    high: float
    n: int
    error: Figure
    constant: Figure
    half: Figure
    coverage: Figure

    def __post_init__(self) -> None:
        if self.knots.ndim != 1 or self.knots.shape != self.levels.shape or not len(self.knots):
            raise DataError("a rating scale needs a knot or more, and as many levels")
        if not (np.all(np.diff(self.knots) > 0) and np.all(np.diff(self.levels) >= 0)):
            raise DataError("the knots of a rating scale must rise, and its levels not fall")
        if not self.low <= self.levels[0] <= self.levels[-1] <= self.high:
            raise DataError("the levels of a rating scale lie outside of the scale")

    def __call__(self, scores: ArrayLike) -> FloatArray:
        """Ratings of scores (N,): linear between knots, constant beyond them; NaN stays NaN."""
        values = np.asarray(scores, dtype=np.float64)
        return np.where(np.isnan(values), np.nan, np.interp(values, self.knots, self.levels))

    def rate(self, score: float) -> dict[str, Any]:
        """Return the `rating` of one score, the `interval` that should hold people's mean, cut at
        the ends of the scale, and `beyond` where the score lies outside those that were rated."""
        rating = float(self(score))
        ends = max(self.low, rating - self.half), min(self.high, rating + self.half)
        details: dict[str, Any] = {"rating": round(rating, 4)}
        details["interval"] = [round(end, 4) for end in ends]
        if not self.knots[0] <= score <= self.knots[-1]:
            details["beyond"] = True
        return details


@dataclass(frozen=True, slots=True, eq=False)
class ScaleFit:
    """A fitted scale with its figures.

    Args:
        error, constant: cross-validated mean absolute errors: of the map, and of the mean rating
            in its place.
        half, coverage: as in `RatingScale`; `half` is infinite where there were too few labels.
    """

    scale: RatingScale = field(repr=False)
    error: Annotated[Estimate, Column("error", digits=2)]
    constant: Annotated[Estimate, Column("error of the mean rating", digits=2)]
    half: Annotated[float, Column("90% within ±", digits=2)]
    coverage: Annotated[float, Column("held", kind="percent", digits=0, unit="%")]


def fit_scale(
    scores: ArrayLike,
    ratings: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    ends: tuple[float, float] | None = None,
    rng: np.random.Generator,
) -> ScaleFit:
    """Fits the map, and measures it on folds that it has not seen.

    Args:
        scores: (N,) in [0, 1]; NaN rows are left out.
        ratings: (N,) on people's scale, higher being better; NaN rows are left out.
        clusters: (N,) what stays together in the folds, such as conversations or raters.
        ends: lowest and highest rating that may be given; those seen when None.
        rng: deals the folds.

    Raises:
        DataError: fewer than 20 labels, or all ratings (or all scores) are the same.

    Source: isotonic regression, Barlow et al. (1972); the interval is cross-conformal (Vovk
    2015). Differs: errors within a cluster are not independent, while ranks take them so.
    """
    x, y = np.asarray(scores, np.float64), np.asarray(ratings, np.float64)
    keep = np.isfinite(x) & np.isfinite(y)
    group = np.arange(len(x)) if clusters is None else np.asarray(clusters)
    x, y, group = x[keep], y[keep], group[keep]
    _check(x, y)
    fold = dealt(group.tolist(), min(FOLDS, len(set(group.tolist()))), rng)
    held, constant = held_out(x, y, fold)
    errors = np.abs(y - held)
    half, coverage = _conformal(errors, fold)
    low, high = (float(y.min()), float(y.max())) if ends is None else ends
    knots, levels = fit_isotonic(x, y).knots[None]
    off, usual = (mean_of(np.abs(y - part), clusters=group) for part in (held, constant))
    scale = RatingScale(
        knots,
        np.clip(levels, low, high),
        low,
        high,
        len(y),
        off.estimate,
        usual.estimate,
        half,
        coverage,
    )
    return ScaleFit(scale, off, usual, half, coverage)


def _check(x: FloatArray, y: FloatArray) -> None:
    if len(y) < FEWEST:
        raise DataError(
            f"{len(y)} labels fit scored items, and a scale needs {FEWEST}; rate more"
            " conversations (`--ask` names the ones that tell most), or use the scores as they are"
        )
    if np.ptp(y) == 0:
        raise DataError(f"all {len(y)} ratings are {y[0]:g}; a scale needs ratings that differ")
    if np.ptp(x) == 0:
        raise DataError("the evaluator gives all rated items one score; no scale can be fitted")


def held_out(
    x: FloatArray, y: FloatArray, fold: NDArray[np.int64]
) -> tuple[FloatArray, FloatArray]:
    """(N,) each by what the other folds say: the isotonic map, and the mean rating."""
    mapped, constant = np.empty(len(x)), np.empty(len(x))
    for one in np.unique(fold):
        own = fold == one
        mapped[own] = fit_isotonic(x[~own], y[~own]).predict(x[own])
        constant[own] = y[~own].mean()
    return mapped, constant


def _conformal(errors: FloatArray, fold: NDArray[np.int64]) -> tuple[float, float]:
    """Half width, and the share of errors below the half width of the other folds."""
    held = np.empty(len(errors), dtype=bool)
    for one in np.unique(fold):
        own = fold == one
        held[own] = errors[own] <= rank_quantile(errors[~own], CONFIDENCE)
    return rank_quantile(errors, CONFIDENCE), float(held.mean())


def rank_quantile(errors: FloatArray, confidence: float) -> float:
    """The error of rank ceil((n + 1) * confidence) of n; infinite where that is above n.

    >>> rank_quantile(np.array([4.0, 1.0, 3.0, 2.0]), 0.6), rank_quantile(np.array([1.0]), 0.9)
    (3.0, inf)
    """
    rank = int(np.ceil(round((len(errors) + 1) * confidence, 9)))
    return float(np.sort(errors)[rank - 1]) if rank <= len(errors) else float("inf")
