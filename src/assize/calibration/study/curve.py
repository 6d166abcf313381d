"""The learning curve: how good calibrators are with fewer forms to learn from (figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from assize.calibration.forms import Forms, IntArray
from assize.calibration.network.training import Job, train
from assize.calibration.study.data import Data
from assize.calibration.study.default import predicted_by_default
from assize.calibration.study.measures import FLOOR
from assize.calibration.table import FloatArray
from assize.stats import log_loss, pearson, rmse
from assize.stats.estimate import nullable

SHARES = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
SUBSAMPLES = 50


@dataclass(frozen=True, slots=True)
class Spread:
    """A measure over random subsamples: mean, and the 5% and 95% quantiles."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: FloatArray) -> Spread:
        """Over the values that are there; NaN where none is."""
        there = values[~np.isnan(values)]
        if len(there) == 0:
            return cls(np.nan, np.nan, np.nan)
        low, high = np.quantile(there, [0.05, 0.95]).tolist()
        return cls(float(there.mean()), low, high)

    def to_json(self) -> dict[str, Any]:
        """NaN is null."""
        return {"mean": nullable(self.mean), "interval": [nullable(self.low), nullable(self.high)]}


@dataclass(frozen=True, slots=True)
class Point:
    """`network` or `default` after learning from `forms` forms, over random subsamples."""

    method: str
    forms: int
    subsamples: int
    rmse: Spread
    pearson: Spread
    log_loss: Spread

    def to_json(self) -> dict[str, Any]:
        """The point as JSON."""
        measures = {"rmse": self.rmse, "pearson": self.pearson, "log_loss": self.log_loss}
        spreads = {name: one.to_json() for name, one in measures.items()}
        named = {"method": self.method, "forms": self.forms}
        return {**named, "subsamples": self.subsamples, **spreads}


def learning_curve(
    data: Data, *, shares: tuple[float, ...] = SHARES, subsamples: int = SUBSAMPLES
) -> list[Point]:
    """Fits on random subsamples of growing size and measures on what was held out.

    Held out is the test set where there is one, else one fold after the other. Forms are
    drawn without replacement from those that answer the target; all networks of a size
    are trained side by side.

    Args:
        shares: of the forms that may be learnt from.
        subsamples: per size.
    """
    samples = [_sample(data, share, number) for share in shares for number in range(subsamples)]
    points = []
    for method, said in (
        ("network", _networks(data, samples)),
        ("default", _defaults(data, samples)),
    ):
        measured = np.array(
            [_measured(data.forms, p, one.held) for p, one in zip(said, samples, strict=True)]
        )
        for share in shares:
            rows = np.array([one.share == share for one in samples])
            forms = round(
                float(np.mean([len(one.fitted) for one in samples if one.share == share]))
            )
            spreads = [Spread.of(column) for column in measured[rows].T]
            points.append(Point(method, forms, subsamples, *spreads))
    return points


class _Sample(NamedTuple):
    share: float
    number: int
    fitted: IntArray
    held: IntArray


def _sample(data: Data, share: float, number: int) -> _Sample:
    pool, held = _pool(data, number)
    size = max(1, round(share * len(pool)))
    rows = np.random.default_rng([number, 3]).choice(pool, size, replace=False)
    return _Sample(share, number, np.sort(rows), held)


def _networks(data: Data, samples: Sequence[_Sample]) -> list[FloatArray]:
    """Each sample's network, of what was held out (n, K)."""
    jobs = [Job(data.setting, one.fitted, one.number) for one in samples]
    forms = data.forms
    return [
        network.probabilities(forms.x[one.held], forms.rater[one.held])
        for network, one in zip(train(forms, jobs), samples, strict=True)
    ]


def _defaults(data: Data, samples: Sequence[_Sample]) -> list[FloatArray]:
    """Each sample's default calibrator; where all its answers are alike, NaN."""
    width = len(data.forms.target)
    return [
        predicted_by_default(data.forms, one.fitted, one.held)
        if len(np.unique(data.forms.y[one.fitted])) > 1
        else np.full((len(one.held), width), np.nan)
        for one in samples
    ]


def _pool(data: Data, number: int) -> tuple[IntArray, IntArray]:
    """Forms to draw from, and forms to measure on."""
    if data.test.any():
        return np.flatnonzero(data.known & ~data.test), np.flatnonzero(data.known & data.test)
    fold = data.fold[number % len(data.fold)]
    out = fold == number % data.folding.folds
    return np.flatnonzero(data.known & ~out), np.flatnonzero(data.known & out)


def _measured(forms: Forms, p: FloatArray, rows: IntArray) -> tuple[float, float, float]:
    value, gold = p @ np.asarray(forms.target.values), forms.values[rows]
    return (
        rmse(value, gold).estimate,
        pearson(value, gold).estimate,
        log_loss(np.clip(p, 0, 1), forms.y[rows].astype(float), floor=FLOOR).estimate,
    )
