"""Are probabilities true? Smooth calibration error, log loss, isotonic.

The smooth error of Blasiok and Nakkiran (2023) convolves residuals with a Gaussian that is
reflected at 0 and 1. On a grid of cell centres that convolution is a product in the cosine
basis, so the error at any bandwidth, and its bootstrap, cost one cosine transform.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.fft import dct, idct

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.results.types import NAN, Estimate
from assize.stats._arrays import Clusters, FloatArray, complete_rows, numbers, same_length
from assize.stats._estimate import describe, generator_state, missing
from assize.stats._intervals import mean, ratio
from assize.stats._resampling import JACKKNIFE, Interval, draw_weights, percentile_ends

_GRID = 2_000  # cells between 0 and 1
_STEPS = 40  # halvings when the bandwidth is sought


@dataclass(frozen=True, slots=True)
class Calibration:
    """A smooth reliability diagram and its error.

    Args:
        error: smooth ECE; the interval is the percentile bootstrap's, at the bandwidth found.
        bandwidth: at which the diagram is drawn; equals the error, by definition of it.
        at: (M,) predicted probabilities at which the curve is given.
        curve: (M,) share of true outcomes near each of them.
        low, high: (M,) ends of the curve's bootstrap band; NaN without a generator.
        density: (M,) how many predictions lie there (integrates to 1).
    """

    error: Estimate
    bandwidth: float
    at: FloatArray
    curve: FloatArray
    low: FloatArray
    high: FloatArray
    density: FloatArray


def smooth_calibration(
    predicted: ArrayLike,
    outcome: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 500,
    points: int = 200,
    rng: np.random.Generator | None = None,
) -> Calibration:
    """Return the smooth calibration error with the reliability curve and its bootstrap band.

    Args:
        predicted: (N,) probabilities of the outcome, in [0, 1]; NaN is missing.
        outcome: (N,) 0 or 1 (or a share between them); NaN is missing.
        clusters: (N,) labels of rows that are not independent.
        confidence, resamples: of interval and band.
        points: M, at most 2,000.
        rng: draws interval and band; without it both are NaN.

    Returns:
        An error of 0 is perfect. It is not 0 in samples of a perfect predictor: expect
        about 0.03 at N = 1,000. NaN with a reason without rows.

    Source: Blasiok and Nakkiran (2023), section 3 and algorithm 1. Differs: predictions are
    shared between the two nearest of 2,000 cell centres (their error moves by less than
    1e-4).
    """
    p, y, groups, unscored = _probabilities(predicted, outcome, clusters)
    at = (np.arange(points) + 0.5) / points
    if len(p) == 0:
        nothing = np.full(points, NAN)
        error = missing("smooth_ece", 1, "no rows with both values", unscored=unscored)
        return Calibration(error, NAN, at, nothing, nothing, nothing, nothing)
    residuals = _on_grid(p, y - p) / len(p)
    bandwidth = _bandwidth(residuals)
    error_at = float(np.abs(_smooth(residuals, bandwidth)).sum())
    weight, hits = _on_grid(p, np.ones(len(p))), _on_grid(p, y)
    curve, density = _curve(weight, hits, bandwidth, at)
    low = high = np.full(points, NAN)
    method = describe(
        "smooth_ece",
        1,
        f"{confidence:.4g}",
        f"clusters:{groups.count}",
        None if rng is None else f"percentile:{resamples}",
        None if rng is None else generator_state(rng),
    )
    ends, reason = (NAN, NAN), None if rng is not None else "no generator was given"
    if rng is not None:
        drawn, curves = _bootstrap(p, y, groups, bandwidth, at, resamples, rng)
        found = percentile_ends(drawn, confidence)
        ends, reason = found.interval, found.reason
        tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
        known = ~np.isnan(curves).all(axis=0)
        low, high = np.full((2, points), NAN)
        low[known], high[known] = np.nanquantile(curves[:, known], tails, axis=0)
    error = Estimate(
        error_at, ends, len(p), unscored, reason, sign_text(method), method, groups.count
    )
    return Calibration(error, bandwidth, at, curve, low, high, density / len(p))


def _probabilities(
    predicted: ArrayLike, outcome: ArrayLike, clusters: ArrayLike | None
) -> tuple[FloatArray, FloatArray, Clusters, int]:
    for name, column in (("predicted", predicted), ("outcome", outcome)):
        values = numbers(column, name)
        if ((values < 0) | (values > 1)).any():
            raise DataError(f"`{name}` must lie in [0, 1]")
    rows = complete_rows(clusters, predicted=predicted, outcome=outcome)
    return rows.columns[0], rows.columns[1], rows.clusters, rows.unscored


def _on_grid(p: FloatArray, values: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Values (N,) shared between the two cell centres nearest to each p: (_GRID,)."""
    place = p * _GRID - 0.5
    below = np.floor(place).astype(np.int64)
    upper = place - below
    values = values if weights is None else values * weights
    lower_cell, upper_cell = np.clip(below, 0, _GRID - 1), np.clip(below + 1, 0, _GRID - 1)
    cells = np.bincount(lower_cell, values * (1 - upper), _GRID)
    return np.asarray(cells + np.bincount(upper_cell, values * upper, _GRID), dtype=np.float64)


def _smooth(cells: FloatArray, bandwidth: float) -> FloatArray:
    """Cells (..., _GRID) convolved with a Gaussian reflected at both ends."""
    fade = np.exp(-0.5 * (np.pi * np.arange(cells.shape[-1]) * bandwidth) ** 2)
    spectrum = dct(cells, type=2, axis=-1) * fade
    return np.asarray(idct(spectrum, type=2, axis=-1))


def _bandwidth(residuals: FloatArray) -> float:
    """Where the smoothed error equals the bandwidth: it falls as the bandwidth grows."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if np.abs(_smooth(residuals, middle)).sum() > middle:
            low = middle
        else:
            high = middle
    return high


def _curve(
    weight: FloatArray, hits: FloatArray, bandwidth: float, at: FloatArray
) -> tuple[FloatArray, FloatArray]:
    width = max(bandwidth, 1 / _GRID)
    centres = (np.arange(_GRID) + 0.5) / _GRID
    total, true = _smooth(weight, width), _smooth(hits, width)
    share = ratio(true, np.where(total < 1e-9, 0, total))
    return np.interp(at, centres, np.clip(share, 0, 1)), np.interp(at, centres, total) * _GRID


def _bootstrap(
    p: FloatArray,
    y: FloatArray,
    groups: Clusters,
    bandwidth: float,
    at: FloatArray,
    resamples: int,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Errors (B,) and curves (B, M) on resamples of clusters, at a fixed bandwidth."""
    errors, curves = np.empty(resamples), np.empty((resamples, len(at)))
    for one in range(resamples):
        rows = groups.spread(draw_weights(1, groups.count, rng))[0]
        weight, hits = _on_grid(p, rows), _on_grid(p, y, rows)
        residuals = _on_grid(p, y - p, rows) / rows.sum()
        errors[one] = np.abs(_smooth(residuals, bandwidth)).sum()
        curves[one] = _curve(weight, hits, bandwidth, at)[0]
    return errors, curves


def log_loss(
    predicted: ArrayLike,
    outcome: ArrayLike,
    *,
    floor: float = 1e-15,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the mean negative log probability of what happened, in nats.

    Args:
        predicted: (N,) probabilities of a binary outcome, or (N, K) of K classes.
        outcome: (N,) 0 or 1, or the class 0..K-1; NaN is missing.
        floor: probabilities below it count as `floor`; without it one certain and wrong
            prediction makes the loss infinite.
    """
    binary = np.ndim(predicted) == 1
    p = numbers(predicted, "predicted", dimensions=1 if binary else 2)
    y = numbers(outcome, "outcome")
    same_length(predicted=p, outcome=y)
    if ((p < 0) | (p > 1)).any():
        raise DataError("`predicted` must lie in [0, 1]")
    p = np.stack([1 - p, p], axis=1) if binary else p
    known = ~np.isnan(y)
    if not np.isin(y[known], np.arange(p.shape[1])).all():
        raise DataError(f"`outcome` must be one of 0..{p.shape[1] - 1} or NaN")
    happened = p[np.arange(len(y)), np.where(known, y, 0).astype(np.int64)]
    missing_row = ~known | np.isnan(p).any(axis=1)
    losses = np.where(missing_row, np.nan, -np.log(np.clip(happened, floor, 1)))
    loss = mean(losses, clusters=clusters, interval=interval)
    method = loss.method.replace("mean|", "log_loss|", 1)
    return replace(loss, method=method, signature=sign_text(method))


@dataclass(frozen=True, slots=True)
class Isotonic:
    """Monotone maps from a score to a rating, one a rater.

    Args:
        knots: by rater, and under None for all together: scores and ratings, both ascending.
    """

    knots: dict[str | None, tuple[FloatArray, FloatArray]]

    def predict(self, scores: ArrayLike, raters: ArrayLike | None = None) -> FloatArray:
        """Ratings (N,) of scores (N,); a rater not seen in fitting gets the pooled map.

        Between knots it is linear, beyond them constant; NaN stays NaN.
        """
        values = numbers(scores, "scores")
        names = np.full(len(values), None) if raters is None else np.asarray(raters).astype(str)
        same_length(scores=values, raters=names)
        predicted = np.full(len(values), np.nan)
        for name in dict.fromkeys(names.tolist()):
            rows = (names == name) & ~np.isnan(values)
            x, y = self.knots.get(name, self.knots[None])
            predicted[rows] = np.interp(values[rows], x, y)
        return predicted


def fit_isotonic(
    scores: ArrayLike, ratings: ArrayLike, raters: ArrayLike | None = None, *, least: int = 10
) -> Isotonic:
    """Fit isotonic regressions of each rater's ratings on a judge's scores.

    Args:
        scores, ratings: (N,); rows with a missing value are left out.
        raters: (N,) ids, or None for one map.
        least: a rater with fewer rows gets the pooled map.

    Raises:
        DataError: no row has both values.

    Source: Barlow et al. (1972), through scipy.
    """
    x, y = numbers(scores, "scores"), numbers(ratings, "ratings")
    names = np.full(len(x), "", dtype=str) if raters is None else np.asarray(raters).astype(str)
    same_length(scores=x, ratings=y, raters=names)
    keep = ~(np.isnan(x) | np.isnan(y))
    if not keep.any():
        raise DataError("`scores` and `ratings` have no row in common")
    knots: dict[str | None, tuple[FloatArray, FloatArray]] = {None: _monotone(x[keep], y[keep])}
    if raters is not None:
        for name in np.unique(names[keep]).tolist():
            rows: NDArray[np.bool_] = keep & (names == name)
            if rows.sum() >= least:
                knots[name] = _monotone(x[rows], y[rows])
    return Isotonic(knots)


def _monotone(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    from scipy.optimize import isotonic_regression

    found, codes, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(codes, y) / counts
    return found, np.asarray(isotonic_regression(means, weights=counts).x)
