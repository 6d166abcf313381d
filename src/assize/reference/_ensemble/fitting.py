"""One fit: metrics standardised, the target brought to one scale, a learner on the rows.

Letters: N items, M metrics, S seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.base.errors import DataError
from assize.base.record_parts import divides
from assize.reference._ensemble.models.learners import Rows, learner_of
from assize.reference._ensemble.models.model import StoredModel
from assize.reference._ensemble.models.shapley import sampled_contributions
from assize.reference._ensemble.sample import Sample
from assize.stats._arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How metrics are standardised: their means and deviations where it was fitted.

    Args:
        mean, scale: (M,).
    """

    mean: FloatArray
    scale: FloatArray

    def __post_init__(self) -> None:
        if self.mean.ndim != 1 or self.mean.shape != self.scale.shape or not divides(self.scale):
            raise DataError("each metric needs a mean and a deviation above 0")

    @classmethod
    def of(cls, values: FloatArray, weights: FloatArray) -> Reading:
        """Of weighted rows (N, M); what is NaN is left out, and a metric that never changes has
        the scale 1."""
        there = ~np.isnan(values)
        share = there * weights[:, None]
        total = np.maximum(share.sum(axis=0), 1e-300)
        filled = np.where(there, values, 0.0)
        mean = (share * filled).sum(axis=0) / total
        spread = np.sqrt((share * (filled - mean) ** 2 * there).sum(axis=0) / total)
        return cls(mean, np.where(spread > 1e-12 * (1 + np.abs(mean)), spread, 1.0))

    def __call__(self, values: FloatArray) -> FloatArray:
        """(N, M) deviations from the mean; NaN stands at the mean."""
        return np.nan_to_num((values - self.mean) / self.scale, nan=0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A model with all that stands around it: metrics in, the target's scale out.

    Args:
        offset, unit: of the target: what a model's 0 and 1 stand for.
    """

    reading: Reading
    model: StoredModel
    offset: float
    unit: float

    def __post_init__(self) -> None:
        if not self.model.fits(len(self.reading.mean)):
            raise DataError(f"its model does not read {len(self.reading.mean)} metrics")

    def predict(self, values: FloatArray) -> FloatArray:
        """(N,) from metrics (N, M); NaN counts as average."""
        return self.offset + self._finite(self.reading(values))

    def _finite(self, z: FloatArray) -> FloatArray:
        """(N,) what the model says of standardised rows, in units of the target."""
        with np.errstate(over="ignore", invalid="ignore"):
            predicted = self.unit * self.model.predict(z)
        if not np.isfinite(predicted).all():
            raise DataError("its model predicts no finite number; fit it again")
        return predicted

    def contributions(self, values: FloatArray) -> FloatArray:
        """(N, M) what each metric adds to the prediction for the average continuation.

        Sampled with a fixed seed, so that a row has the same values every time.
        """
        z = self.reading(values)
        rng = np.random.default_rng([0, z.shape[1]])
        return sampled_contributions(self._finite, z, rng)

    @property
    def average(self) -> float:
        """The prediction where every metric is at its mean."""
        zero = np.zeros((1, len(self.reading.mean)))
        return float(self.offset + self._finite(zero)[0])


def fit_rows(
    values: FloatArray,
    y: FloatArray,
    groups: IntArray,
    name: str,
    *,
    weights: FloatArray | None = None,
    seed: int = 0,
) -> Fit:
    """Fits a learner on rows (N, M) and (N,).

    Args:
        groups: (N,) conversations, as numbers.
        name: of the learner.
        weights: (N,) how much each row counts.
    """
    learner = learner_of(name)
    share = np.ones(len(y)) if weights is None else weights / weights.mean()
    reading = Reading.of(values, share)
    offset, unit = 0.0, 1.0
    if not learner.raw:
        offset = float(np.average(y, weights=share))
        unit = float(np.sqrt(np.average((y - offset) ** 2, weights=share))) or 1.0
    rows = Rows(reading(values), (y - offset) / unit, share, groups, seed)
    return Fit(reading, learner.fit(rows), offset, unit)


def fit_sample(
    sample: Sample, rows: IntArray, name: str, *, annotations: bool = False, seed: int = 0
) -> Fit:
    """Fits a learner on some items of a sample.

    Args:
        annotations: a row is one annotation rather than an item's mean, as in UPHELD.
    """
    targets = sample.targets.take(rows)
    place = targets.place if annotations else np.arange(len(rows))
    y = targets.rating if annotations else targets.value
    at = rows[place]
    return fit_rows(
        sample.values[at], y, sample.groups[at], name, weights=targets.weights[place], seed=seed
    )


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What was predicted of items whose conversations the fit had not seen.

    Args:
        fold: (S, N) who was held out together.
        predicted: by learner (S, N).
        best: (S, N) by the best single metric of the rows fitted on, in their deviations.
        chosen: how often each metric was the best.
    """

    fold: IntArray
    predicted: Mapping[str, FloatArray]
    best: FloatArray
    chosen: Mapping[str, int]


def cross_validate(
    sample: Sample,
    names: Iterable[str],
    *,
    folds: int = 5,
    seeds: Iterable[int] = (0,),
    annotations: bool = False,
    tick: Any = None,
) -> HeldOut:
    """Fits on all folds but one and predicts that one, for every learner and seed.

    With 5 folds each fit sees 80% of the conversations, and 20% are held out.

    Args:
        names: of learners.
        tick: called once a fit.
    """
    several = list(seeds)
    wanted = list(names)
    fold = np.stack([sample.folds(folds, seed) for seed in several])
    shape = (len(several), len(sample))
    predicted = {name: np.full(shape, np.nan) for name in wanted}
    best = np.full(shape, np.nan)
    chosen: dict[str, int] = {}
    for line, seed in enumerate(several):
        for one in range(folds):
            held = np.flatnonzero(fold[line] == one)
            rest = np.flatnonzero(fold[line] != one)
            metric, best[line, held] = best_single(sample, rest, held)
            chosen[metric] = chosen.get(metric, 0) + 1
            for name in wanted:
                fit = fit_sample(sample, rest, name, annotations=annotations, seed=seed)
                predicted[name][line, held] = fit.predict(sample.values[held])
                if tick is not None:
                    tick()
    return HeldOut(fold, predicted, best, chosen)


def best_single(sample: Sample, rows: IntArray, asked: IntArray) -> tuple[str, FloatArray]:
    """The metric that goes best with the target on some rows, and its values on others.

    Several corpora count alike, by the mean of their correlations. The values are in deviations
    from the mean of `rows`, turned round where the correlation is negative.
    """
    targets = sample.targets
    at, r = choose_metric(sample.values[rows], targets.value[rows], targets.source[rows])
    column = sample.values[:, at]
    mean, spread = np.nanmean(column[rows]), np.nanstd(column[rows])
    turned = np.sign(r) * (column[asked] - mean) / max(float(spread), 1e-12)
    return sample.columns.names[at], np.nan_to_num(turned)


def choose_metric(values: FloatArray, y: FloatArray, source: IntArray) -> tuple[int, float]:
    """The column of (N, M) with the largest correlation with (N,), the mean over sources; and it.

    Args:
        source: (N,) the corpus of each row; those of less than three rows say nothing.
    """
    sources = np.unique(source)
    found = np.zeros(values.shape[1])
    for number in sources:
        own = source == number
        if own.sum() > 2:
            found += correlations(values[own], y[own]) / len(sources)
    column = int(np.argmax(np.abs(found)))
    return column, float(found[column])


def correlations(values: FloatArray, y: FloatArray) -> FloatArray:
    """(M,) Pearson's correlation of each metric with (N,); 0 where there is none."""
    there = ~np.isnan(values)
    n = np.maximum(there.sum(axis=0), 1)
    filled = np.where(there, values, 0.0)
    target = np.where(there, y[:, None], 0.0)
    x = np.where(there, filled - filled.sum(axis=0) / n, 0.0)
    t = np.where(there, target - target.sum(axis=0) / n, 0.0)
    norm = np.sqrt((x**2).sum(axis=0) * (t**2).sum(axis=0))
    return np.where(norm > 1e-12, (x * t).sum(axis=0) / np.maximum(norm, 1e-300), 0.0)
