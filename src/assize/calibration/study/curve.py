"""The learning curve: how good the network is with fewer forms to learn from (figure 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.calibration.forms import Forms, IntArray
from assize.calibration.study.data import Data
from assize.calibration.table import FloatArray
from assize.calibration.training import Job, train
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
    """The network after learning from `forms` forms, over so many random subsamples."""

    forms: int
    subsamples: int
    rmse: Spread
    pearson: Spread
    log_loss: Spread

    def to_json(self) -> dict[str, Any]:
        """The point as JSON."""
        measures = {"rmse": self.rmse, "pearson": self.pearson, "log_loss": self.log_loss}
        spreads = {name: one.to_json() for name, one in measures.items()}
        return {"forms": self.forms, "subsamples": self.subsamples, **spreads}


def learning_curve(
    data: Data, *, shares: tuple[float, ...] = SHARES, subsamples: int = SUBSAMPLES
) -> list[Point]:
    """Trains on random subsamples of growing size and measures on what was held out.

    Held out is the test set where there is one, else one fold after the other. Forms are
    drawn without replacement from those that answer the target; all networks of a size
    are trained side by side.

    Args:
        shares: of the forms that may be learnt from.
        subsamples: per size.
    """
    jobs, held, sizes = [], [], []
    for share in shares:
        for number in range(subsamples):
            pool, out = _pool(data, number)
            rng = np.random.default_rng([number, 3])
            size = max(1, round(share * len(pool)))
            rows = np.sort(rng.choice(pool, size, replace=False))
            jobs.append(Job(data.setting, rows, number))
            held.append(out)
            sizes.append(share)
    networks = train(data.forms, jobs)
    measured = np.array(
        [
            _measured(
                data.forms, network.probabilities(data.forms.x[out], data.forms.rater[out]), out
            )
            for network, out in zip(networks, held, strict=True)
        ]
    )
    points = []
    for share in shares:
        rows = np.array([one == share for one in sizes])
        forms = round(
            float(np.mean([len(job.rows) for job, one in zip(jobs, rows, strict=True) if one]))
        )
        spreads = [Spread.of(column) for column in measured[rows].T]
        points.append(Point(forms, subsamples, *spreads))
    return points


def _pool(data: Data, number: int) -> tuple[IntArray, IntArray]:
    """Forms to draw from, and forms to measure on."""
    if data.test.any():
        return np.flatnonzero(data.known & ~data.test), np.flatnonzero(data.known & data.test)
    fold = data.fold[number % len(data.fold)]
    out = fold == number % (int(fold.max()) + 1)
    return np.flatnonzero(data.known & ~out), np.flatnonzero(data.known & out)


def _measured(forms: Forms, p: FloatArray, rows: IntArray) -> tuple[float, float, float]:
    value, gold = p @ np.asarray(forms.target.values), forms.values[rows]
    return (
        rmse(value, gold).estimate,
        pearson(value, gold).estimate,
        log_loss(np.clip(p, 0, 1), forms.y[rows].astype(float)).estimate,
    )
