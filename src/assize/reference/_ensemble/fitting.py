"""One fit: metrics standardised, the target brought to one scale, a learner on the rows.

Letters: N items, M metrics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import DataError
from assize.base.record_parts import divides
from assize.reference._ensemble.examples import Examples
from assize.reference._ensemble.models.learners import learner_of
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


def fit_examples(examples: Examples, name: str) -> Fit:
    """Fits the learner of this name."""
    learner = learner_of(name)
    target, share = examples.target, examples.weights / examples.weights.mean()
    reading = Reading.of(examples.metrics, share)
    offset, unit = 0.0, 1.0
    if not learner.raw:
        offset = float(np.average(target, weights=share))
        unit = float(np.sqrt(np.average((target - offset) ** 2, weights=share))) or 1.0
    z, y = reading(examples.metrics), (target - offset) / unit
    return Fit(
        reading, learner.fit(replace(examples, metrics=z, target=y, weights=share)), offset, unit
    )


@dataclass(frozen=True, slots=True)
class BestMetric:
    """The one metric that goes best with the target, in deviations from its mean.

    Args:
        column: its place.
        unit: its deviation, negative where it falls as the target rises; NaN where no metric
            goes with the target at all.
    """

    column: int
    mean: float
    unit: float

    def predict(self, metrics: FloatArray) -> FloatArray:
        """(m,) of rows (m, M); NaN where the metric is missing."""
        return (metrics[:, self.column] - self.mean) / self.unit


def fit_best_metric(examples: Examples) -> BestMetric:
    """The metric with the largest correlation with the target, the mean over corpora.

    A corpus of less than three rows says nothing. Values in deviations put folds together whose
    best metrics differ.
    """
    corpora = np.unique(examples.corpus)
    r = np.zeros(examples.metrics.shape[1])
    for corpus in corpora:
        own = examples.corpus == corpus
        if own.sum() > 2:
            r += correlations(examples.metrics[own], examples.target[own]) / len(corpora)
    column = int(np.argmax(np.abs(r)))
    if not r[column]:
        return BestMetric(column, 0.0, np.nan)
    values = examples.metrics[:, column]
    return BestMetric(
        column, float(np.nanmean(values)), float(np.sign(r[column]) * np.nanstd(values))
    )


SINGLE = "best single metric"


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What was predicted of items whose conversations the fit had not seen.

    Args:
        fold: (N,) who was held out together.
        predicted: by learner (N,); `SINGLE` is the best metric of the rows fitted on, in their
            deviations.
        chosen: how often each metric was the best.
    """

    fold: IntArray
    predicted: Mapping[str, FloatArray]
    chosen: Mapping[str, int]


def cross_validate(
    sample: Sample,
    names: Iterable[str],
    *,
    folds: int = 5,
    seed: int = 0,
    annotations: bool = False,
    tick: Callable[[], object] = lambda: None,
) -> HeldOut:
    """Fits on all folds but one and predicts that one, for every learner.

    With 5 folds each fit sees 80% of the conversations, and 20% are held out.

    Args:
        names: of learners.
        tick: called once a fit.
    """
    fold = sample.folds(folds, seed)
    learners = list(names)
    predicted = {name: np.full(len(sample), np.nan) for name in (*learners, SINGLE)}
    chosen: Counter[str] = Counter()
    for number in range(folds):
        held, rest = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        metrics = sample.values[held]
        best = fit_best_metric(sample.examples(rest))
        chosen[sample.columns.names[best.column]] += 1
        predicted[SINGLE][held] = np.nan_to_num(best.predict(metrics))
        examples = sample.examples(rest, annotations=annotations, seed=seed)
        for name in learners:
            predicted[name][held] = fit_examples(examples, name).predict(metrics)
            tick()
    return HeldOut(fold, predicted, chosen)


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
