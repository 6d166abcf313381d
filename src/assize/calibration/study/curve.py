"""The learning curve: how good calibrators are with fewer forms to learn from (figure 4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Forms, IntArray
from assize.calibration.network.training import Job, train
from assize.calibration.study.data import Data
from assize.calibration.study.default import predicted_by_default
from assize.calibration.study.measures import FLOOR
from assize.stats import log_loss, pearson, rmse
from assize.stats.estimate import nullable

SHARES = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
SUBSAMPLES = 50


@dataclass(frozen=True, slots=True)
class Spread:
    """A measure over random subsamples: mean, and the 5% and 95% quantiles.

    Args:
        n: subsamples that gave it; from few forms there may be nothing to learn.
    """

    mean: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, values: FloatArray) -> Spread:
        """Over the values that are there; NaN where none is."""
        there = values[~np.isnan(values)]
        if len(there) == 0:
            return cls(np.nan, np.nan, np.nan, 0)
        low, high = np.quantile(there, [0.05, 0.95]).tolist()
        return cls(float(there.mean()), low, high, len(there))

    def to_json(self) -> dict[str, Any]:
        """NaN is null."""
        ends = [nullable(self.low), nullable(self.high)]
        return {"mean": nullable(self.mean), "interval": ends, "n": self.n}


@dataclass(frozen=True, slots=True)
class Point:
    """`network` or `default` after learning from `forms` forms, over random subsamples.

    Args:
        forms: mean of the subsamples' sizes, which differ where folds do.
        distinct: how many of the subsamples are different ones; all forms are few of them.
    """

    method: str
    forms: int
    subsamples: int
    distinct: int
    rmse: Spread
    pearson: Spread
    log_loss: Spread

    @property
    def measures(self) -> dict[str, Spread]:
        """All three by name."""
        return {"rmse": self.rmse, "pearson": self.pearson, "log_loss": self.log_loss}

    def to_json(self) -> dict[str, Any]:
        """The point as JSON."""
        spreads = {name: one.to_json() for name, one in self.measures.items()}
        named = {"method": self.method, "forms": self.forms}
        return {**named, "subsamples": self.subsamples, "distinct": self.distinct, **spreads}


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
    pool = len(_pool(data, 0)[0])
    shares = tuple({_size(share, pool): share for share in shares}.values())  # each size once
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
            kept = [one for one in samples if one.share == share]
            forms = round(float(np.mean([len(one.fitted) for one in kept])))
            distinct = len({(one.fitted.tobytes(), one.held.tobytes()) for one in kept})
            spreads = [Spread.of(column) for column in measured[rows].T]
            points.append(Point(method, forms, subsamples, distinct, *spreads))
    return points


class _Sample(NamedTuple):
    share: float
    number: int
    fitted: IntArray
    held: IntArray


def _sample(data: Data, share: float, number: int) -> _Sample:
    pool, held = _pool(data, number)
    size = _size(share, len(pool))
    rows = np.random.default_rng([number, 3]).choice(pool, size, replace=False)
    return _Sample(share, number, np.sort(rows), held)


def _size(share: float, pool: int) -> int:
    return max(1, round(share * pool))


def _networks(data: Data, samples: Sequence[_Sample]) -> list[FloatArray]:
    """Each sample's network, of what was held out (n, K)."""
    jobs = [Job(data.setting, one.fitted, one.number) for one in samples]
    forms = data.forms
    return [
        network.probabilities(forms.x[one.held], forms.rater[one.held])
        for network, one in zip(train(forms, jobs), samples, strict=True)
    ]


def _defaults(data: Data, samples: Sequence[_Sample]) -> list[FloatArray]:
    """Each sample's default calibrator, of what was held out (n, K)."""
    return [predicted_by_default(data.forms, one.fitted, one.held) for one in samples]


def _pool(data: Data, number: int) -> tuple[IntArray, IntArray]:
    """Forms to draw from, and forms to measure on; every fold of every seed has its turn."""
    if data.test.any():
        return np.flatnonzero(data.known & ~data.test), np.flatnonzero(data.known & data.test)
    seeds, folds = len(data.fold), data.folding.folds
    again = number // math.lcm(seeds, folds) % math.gcd(seeds, folds)
    out = data.fold[(number + again) % seeds] == number % folds
    return np.flatnonzero(data.known & ~out), np.flatnonzero(data.known & out)


def _measured(forms: Forms, p: FloatArray, rows: IntArray) -> tuple[float, float, float]:
    value, gold = p @ np.asarray(forms.target.values), forms.values[rows]
    loss = log_loss(np.clip(p, 0, 1), forms.y[rows].astype(float), floor=FLOOR).estimate
    if not forms.target.ordered:
        return np.nan, np.nan, loss
    return rmse(value, gold).estimate, pearson(value, gold).estimate, loss
