"""The learning curve: how good methods are with fewer rows to learn from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.results import Column, Hidden
from assize.results.types import NAN, Estimate
from assize.stats._arrays import FloatArray
from assize.stats._studies.measures import MEASURES, Measure, Predictions, Truth
from assize.stats._studies.splits import D, Folds, Method, Split, predictions

SHARES = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
SUBSAMPLES = 50


def spread_of(values: FloatArray) -> Estimate:
    """Return a measure over random subsamples: the mean, its interval the 5% and 95% quantiles.

    `n` counts subsamples that gave it; from few rows there may be nothing to learn (`unscored`).
    NaN where none gave it.
    """
    known = values[~np.isnan(values)]
    missing = len(values) - len(known)
    if len(known) == 0:
        return Estimate(NAN, n=0, unscored=missing)
    low, high = np.quantile(known, [0.05, 0.95]).tolist()
    return Estimate(float(known.mean()), (low, high), len(known), missing)


@dataclass(frozen=True, slots=True)
class Point:
    """A method after learning from some rows, over random subsamples.

    Args:
        rows: mean of the subsamples' sizes, which differ where folds do.
        distinct: how many of the subsamples are different ones; all rows are few of them.
        measures: by name.
    """

    method: str
    rows: Annotated[int, Column("learnt from")]
    subsamples: Hidden[int]
    distinct: Hidden[int]
    measures: Mapping[str, Annotated[Estimate, Column(blanks=True)]]


def subsamples(
    folds: Folds,
    truth: Truth,
    shares: Sequence[float] = SHARES,
    count: int = SUBSAMPLES,
) -> list[list[Split]]:
    """Draw subsamples of growing size, without replacement, from the rows with a truth.

    The seed of each is its number. Held out is the test set where there is one, else one fold
    after the other.

    Args:
        shares: of the rows that may be learnt from; each resulting size once.
        count: per size.
    """
    pool = len(_pool(folds, truth, 0).fitted)
    sizes = {max(1, round(share * pool)): share for share in shares}
    return [
        [_subsample(folds, truth, share, number) for number in range(count)]
        for share in sizes.values()
    ]


def _subsample(folds: Folds, truth: Truth, share: float, number: int) -> Split:
    _, pool, held = _pool(folds, truth, number)
    size = max(1, round(share * len(pool)))
    rows = np.random.default_rng([number, 3]).choice(pool, size, replace=False)
    return Split(number, np.sort(rows), held)


def _pool(folds: Folds, truth: Truth, number: int) -> Split:
    """Rows to draw from, and rows to measure on; every fold of every seed has its turn."""
    if folds.test.any():
        out = folds.test
    else:
        seeds = len(folds.seeds)
        again = number // math.lcm(seeds, folds.count) % math.gcd(seeds, folds.count)
        out = folds.fold[(number + again) % seeds] == number % folds.count
    known = truth.known
    return Split(number, np.flatnonzero(known & ~out), np.flatnonzero(known & out))


def points(
    method: str,
    drawn: Sequence[Sequence[Split]],
    said: Iterable[FloatArray],
    truth: Truth,
    measures: Mapping[str, Measure] = MEASURES,
) -> list[Point]:
    """Return a method's points, one per size.

    Args:
        said: of every split of every size in turn, the predictions (held,) or (held, K) of
            the rows held from it.
    """
    found, each = [], iter(said)
    for splits in drawn:
        estimates: dict[str, list[float]] = {name: [] for name in measures}
        for split in splits:
            predicted, some = Predictions.of(next(each)[None], truth.scale), truth.take(split.held)
            for name, measure in measures.items():
                estimates[name].append(measure.of(predicted, some).estimate)
        spreads = {name: spread_of(np.array(values)) for name, values in estimates.items()}
        rows = round(float(np.mean([len(one.fitted) for one in splits])))
        distinct = len({(one.fitted.tobytes(), one.held.tobytes()) for one in splits})
        found.append(Point(method, rows, len(splits), distinct, spreads))
    return found


def learning_curve(
    methods: Mapping[str, Method[D]],
    data: D,
    truth: Truth,
    folds: Folds,
    *,
    shares: Sequence[float] = SHARES,
    count: int = SUBSAMPLES,
    measures: Mapping[str, Measure] = MEASURES,
) -> list[Point]:
    """Fit every method on the same random subsamples, and measure it on held-out rows.

    Arguments are those of `compare_methods` and `subsamples`; rows without a truth are neither used
    for fitting nor for measuring.
    """
    drawn = subsamples(folds, truth, shares, count)
    splits = [split for same in drawn for split in same]
    return [
        point
        for name, method in methods.items()
        for point in points(name, drawn, predictions(method, data, splits), truth, measures)
    ]
