"""Predictions beside the truth: figures of a method over the seeds, and each row's loss.

To add a measure, write a function of one seed's `Predictions` and the `Truth`, and give it a
row in `MEASURES`, or in a table of one's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize import stats
from assize.base.errors import DataError
from assize.results.types import NAN, Estimate
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._estimate import missing
from assize.stats._studies.splits import Mask

FLOOR = 1e-6  # probabilities below it count as it in log losses


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What is to be predicted, row by row.

    Args:
        values: (N,) numbers; NaN where there is none.
        clusters: (N,) what a row is about: rows about the same are not independent.
        answers: (N,) place of each answer in `scale`, -1 where there is none; None where
            values are no answers to choose from.
        scale: (K,) the answers' values.
        ordered: whether a mean over the values says something.
    """

    values: FloatArray
    clusters: NDArray[Any]
    answers: IntArray | None = None
    scale: tuple[float, ...] = ()
    ordered: bool = True

    def __len__(self) -> int:
        return len(self.values)

    @property
    def known(self) -> Mask:
        """(N,) rows with a truth."""
        return ~np.isnan(self.values)

    def take(self, rows: Mask | IntArray) -> Truth:
        """Some of the rows."""
        answers = None if self.answers is None else self.answers[rows]
        return replace(
            self, values=self.values[rows], clusters=self.clusters[rows], answers=answers
        )


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What a method says of every row, one set a seed.

    Args:
        value: (S, N) on the scale of the truth's values; NaN where there is none.
        p: (S, N, K) probabilities of the answers, or None where a method has none.
        only_order: `value` is on a scale of its own: only correlations say something.
    """

    value: FloatArray
    p: FloatArray | None = None
    only_order: bool = False

    @classmethod
    def of(cls, found: FloatArray, scale: Sequence[float] = ()) -> Predictions:
        """Values (S, N) as they are; probabilities (S, N, K) decoded by the mean over the
        scale, which is best under squared error; DataError where it has not K values."""
        if found.ndim == 2:
            return cls(found)
        if found.shape[-1] != len(scale):
            raise DataError(
                f"{found.shape[-1]} probabilities a row for a scale of {len(scale)} answers; give"
                " the truth's `scale` a value for each"
            )
        return cls(found @ np.asarray(scale), found)

    def each(self, rows: Mask) -> Iterable[Predictions]:
        """Some of the rows, a seed at a time (1, n)."""
        for line in range(len(self.value)):
            p = None if self.p is None else self.p[line : line + 1, rows]
            yield replace(self, value=self.value[line : line + 1, rows], p=p)


@dataclass(frozen=True, slots=True)
class Figure(Estimate):
    """One measure of one method: the mean over the seeds.

    Its interval has both ends' means over the seeds of intervals clustered by item, which speak
    of other items, at one seed; `n` and `unscored` are rows with both values, and with a truth
    but no prediction.

    Args:
        spread: standard deviation over the seeds; NaN with fewer than two.
    """

    spread: float = NAN

    @classmethod
    def over_seeds(cls, estimates: Iterable[Estimate]) -> Figure:
        """Return the figure of one estimate a seed."""
        seeds = list(estimates)
        values = np.array([seed.estimate for seed in seeds])
        low, high = np.array([seed.interval for seed in seeds]).mean(axis=0).tolist()
        spread = float(values.std(ddof=1)) if len(values) > 1 else NAN
        reason = next((seed.reason for seed in seeds if seed.reason is not None), None)
        n, unscored = seeds[0].n, seeds[0].unscored
        return cls(float(values.mean()), (low, high), n, unscored, reason, spread=spread)


@dataclass(frozen=True, slots=True)
class Measure:
    """One way to say how good a method is.

    Args:
        title, short: for headings with room, and without.
        of: one seed's predictions (1, n) and the truth of the same n rows -> estimate, NaN
            with a reason where it says nothing.
        lower: whether less is better.
    """

    title: str
    short: str
    of: Callable[[Predictions, Truth], Estimate]
    lower: bool = False


def figures(
    predicted: Predictions, truth: Truth, rows: Mask, measures: Mapping[str, Measure] | None = None
) -> dict[str, Figure]:
    """Measure a method by every measure on some of the rows; those without a truth are left out."""
    kept = rows & truth.known
    some = truth.take(kept)
    return {
        name: Figure.over_seeds(measure.of(seed, some) for seed in predicted.each(kept))
        for name, measure in (MEASURES if measures is None else measures).items()
    }


def counts(found: Mapping[str, Figure]) -> tuple[int, int]:
    """Count the rows that a method predicts and does not, by the measure that has most of them.

    A measure that is not defined, such as a correlation of answers without an order, has none.
    """
    most = max(found.values(), key=lambda one: one.n)
    return most.n, most.unscored


def of_values(name: str, *, any_scale: bool = True) -> Callable[[Predictions, Truth], Estimate]:
    """A function of `stats` on predicted and true values, as a measure."""
    of = getattr(stats, name)

    def measured(predicted: Predictions, truth: Truth) -> Estimate:
        if not truth.ordered:
            return missing(name, 1, "the answers are not ordered", unscored=len(truth))
        if predicted.only_order and not any_scale:
            return missing(name, 1, "the scale of the score is its own", unscored=len(truth))
        found: Estimate = of(predicted.value[0], truth.values, clusters=truth.clusters)
        return found

    return measured


def log_loss(predicted: Predictions, truth: Truth) -> Estimate:
    """Of the answers' probabilities; those below FLOOR count as FLOOR."""
    if predicted.p is None or truth.answers is None:
        reason = "the method gives no probabilities"
        return missing("log_loss", 1, reason, unscored=len(truth))
    p, given = np.clip(predicted.p[0], 0, 1), truth.answers.astype(float)
    return stats.log_loss(p, given, floor=FLOOR, clusters=truth.clusters)


MEASURES: Mapping[str, Measure] = {
    "rmse": Measure("RMSE", "RMSE", of_values("rmse", any_scale=False), lower=True),
    "pearson": Measure("Pearson", "r", of_values("pearson")),
    "spearman": Measure("Spearman", "rho", of_values("spearman")),
    "kendall": Measure("Kendall", "tau", of_values("kendall")),
    "log_loss": Measure("log loss", "loss", log_loss, lower=True),
}


@dataclass(frozen=True, slots=True)
class Loss:
    """What methods are tested by: a number a row, less is better.

    Args:
        measure: the name of the measure that goes with it.
        each: (N,) the loss of each row, mean over the seeds; None where a method has none.
    """

    measure: str
    each: Callable[[Predictions, Truth], FloatArray | None]


def squared_error(predicted: Predictions, truth: Truth) -> FloatArray | None:
    """(value - truth)^2."""
    if predicted.only_order or not truth.ordered:
        return None
    return np.asarray(((predicted.value - truth.values) ** 2).mean(axis=0))


def negative_log(predicted: Predictions, truth: Truth) -> FloatArray | None:
    """-ln of the probability of the answer that was given."""
    if predicted.only_order or predicted.p is None or truth.answers is None:
        return None
    y = np.maximum(truth.answers, 0)
    given = np.take_along_axis(predicted.p, y[None, :, None], axis=2)[..., 0]
    found = -np.log(np.clip(given, FLOOR, 1)).mean(axis=0)
    return np.asarray(np.where(truth.known, found, np.nan))


LOSSES: Mapping[str, Loss] = {
    "squared error": Loss("rmse", squared_error),
    "log loss": Loss("log_loss", negative_log),
}
