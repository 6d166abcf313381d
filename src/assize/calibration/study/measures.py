"""How well predictions fit what people answered, and whether two methods can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assize import stats
from assize.calibration.data.features import FloatArray
from assize.calibration.study.data import Data
from assize.calibration.study.predicted import Predicted
from assize.stats import Estimate, Test
from assize.stats.estimate import nullable

MEASURES = ("rmse", "pearson", "spearman", "kendall", "log_loss")
LOWER_IS_BETTER = ("rmse", "log_loss")
FLOOR = 1e-6  # probabilities below it count as it in log losses

_OF_VALUES: Mapping[str, Callable[..., Estimate]] = {
    "rmse": stats.rmse,
    "pearson": stats.pearson,
    "spearman": stats.spearman,
    "kendall": stats.kendall,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one method.

    Args:
        estimate: mean over the seeds; NaN with a reason where it is not defined.
        spread: standard deviation over the seeds; NaN with fewer than two.
        interval: both ends' means over the seeds of intervals clustered by item; they
            speak of other items, at one seed.
        n, unscored: forms with both values, and with an answer but no prediction.
    """

    estimate: float
    spread: float
    interval: tuple[float, float]
    n: int
    unscored: int
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """NaN is null."""
        value: dict[str, Any] = {
            "estimate": nullable(self.estimate),
            "spread": nullable(self.spread),
            "interval": [nullable(end) for end in self.interval],
            "n": self.n,
            "unscored": self.unscored,
        }
        return value if self.reason is None else value | {"reason": self.reason}


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two methods on the forms that both predict: mean loss of the first less the second's.

    Args:
        loss: `squared error` of the values, or `log loss`.
        test: signs of the differences flipped item by item; over the seeds' mean losses.
        p_holm: its p-value, corrected for all pairs of the loss (Holm).
    """

    first: str
    second: str
    loss: Literal["squared error", "log loss"]
    test: Test
    p_holm: float

    def to_json(self) -> dict[str, Any]:
        """The test's object with both names."""
        named = {"first": self.first, "second": self.second, "loss": self.loss}
        return named | self.test.to_json() | {"p_holm": nullable(self.p_holm)}


def figures(data: Data, predicted: Predicted, rows: NDArray[np.bool_]) -> dict[str, Figure]:
    """Every measure of a method on some of the forms; those without an answer are left out."""
    kept = rows & data.known
    gold, clusters = data.forms.values[kept], data.forms.item[kept]
    found = {}
    for name, measure in _OF_VALUES.items():
        if not data.forms.target.ordered:
            found[name] = _nothing(int(kept.sum()), "the answers are not ordered")
            continue
        if predicted.only_order and name == "rmse":
            found[name] = _nothing(int(kept.sum()), "the scale of the score is its own")
            continue
        found[name] = _over_seeds(
            measure(value[kept], gold, clusters=clusters) for value in predicted.value
        )
    if predicted.p is None:
        found["log_loss"] = _nothing(int(kept.sum()), "the method gives no probabilities")
    else:
        y = data.forms.y[kept].astype(float)
        found["log_loss"] = _over_seeds(
            stats.log_loss(np.clip(p[kept], 0, 1), y, floor=FLOOR, clusters=clusters)
            for p in predicted.p
        )
    return found


def counts(found: Mapping[str, Figure]) -> tuple[int, int]:
    """Forms that a method predicts and that it does not, by the measure that has most of them.

    A measure that is not defined, such as a correlation of answers without an order, has none.
    """
    most = max(found.values(), key=lambda one: one.n)
    return most.n, most.unscored


def _nothing(unscored: int, reason: str) -> Figure:
    return Figure(np.nan, np.nan, (np.nan, np.nan), 0, unscored, reason)


def _over_seeds(each: Any) -> Figure:
    all_ = list(each)
    values = np.array([one.estimate for one in all_])
    ends = np.array([one.interval for one in all_]).mean(axis=0)
    spread = float(values.std(ddof=1)) if len(values) > 1 else np.nan
    first = all_[0]
    low, high = ends.tolist()
    return Figure(
        float(values.mean()), spread, (low, high), first.n, first.unscored,
        next((one.reason for one in all_ if one.reason is not None), None),
    )  # fmt: skip


def losses(data: Data, predicted: Predicted, loss: str) -> FloatArray | None:
    """(N,) loss of each form, mean over the seeds; None where there is no such loss."""
    if predicted.only_order:
        return None
    if loss == "squared error":
        if not data.forms.target.ordered:
            return None
        gaps = (predicted.value - data.forms.values) ** 2
        return np.asarray(gaps.mean(axis=0))
    if predicted.p is None:
        return None
    y = np.maximum(data.forms.y, 0)
    given = np.take_along_axis(predicted.p, y[None, :, None], axis=2)[..., 0]
    found = -np.log(np.clip(given, FLOOR, 1)).mean(axis=0)
    return np.asarray(np.where(data.known, found, np.nan))


def pairings(
    data: Data,
    predicted: Mapping[str, Predicted],
    rows: NDArray[np.bool_],
    *,
    permutations: int = 20_000,
    seed: int = 0,
) -> list[Pairing]:
    """Paired permutation tests between all methods, for both losses.

    A difference is tested on the forms that both methods predict; each loss is a family
    of its own for Holm's correction.
    """
    found: list[Pairing] = []
    kinds: Sequence[Literal["squared error", "log loss"]] = ("squared error", "log loss")
    for loss in kinds:
        each = {name: losses(data, one, loss) for name, one in predicted.items()}
        known = {name: one[rows] for name, one in each.items() if one is not None}
        items = data.forms.item[rows]
        pairs = list(combinations(known, 2))
        if not pairs:
            continue
        gaps = np.column_stack([known[first] - known[second] for first, second in pairs])
        rng = np.random.default_rng([seed, 5])
        tests = stats.sign_flips(gaps, clusters=items, permutations=permutations, rng=rng)
        corrected = stats.holm([test.p_value for test in tests]).tolist()
        found += [
            Pairing(first, second, loss, test, p)
            for (first, second), test, p in zip(pairs, tests, corrected, strict=True)
        ]
    return found
