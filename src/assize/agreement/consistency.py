"""How consistently each rater orders items as the others do, whatever their level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from assize import stats
from assize.agreement.raters import LEAST, ORDERED, others_mean
from assize.judgments.answers import Columns
from assize.results import Estimate
from assize.stats._arrays import FloatArray, grouped
from assize.stats._correlation import resampled_rho
from assize.stats._resampling import standard_error

FEWEST = 4  # items of a correlation of which one can be left out


@dataclass(frozen=True, slots=True)
class Consistency:
    """Each rater's rank correlation with the others' mean, as a mean over questions.

    Args:
        correlation: (R,) Spearman's; NaN where no question has enough items.
        change: (R, items) what it changes by when an item is left out; NaN for items that do not
            enter.
    """

    correlation: FloatArray
    change: FloatArray

    def estimate(self, row: int) -> Estimate | None:
        """Return a rater's correlation with a jackknife interval over items."""
        change = self.change[row][~np.isnan(self.change[row])]
        if not len(change):
            return None
        mean = stats.mean((len(change) - 1) * (change.mean() - change))
        low, high = (self.correlation[row] + end for end in mean.interval)
        estimate = replace(mean, estimate=float(self.correlation[row]), interval=(low, high))
        return estimate.within((-1, 1))

    def compare(self, row: int, looks: int) -> tuple[float, bool]:
        """Return the others' mean correlation, and whether the rater's is below it beyond doubt.

        Raters count by their items. The chance of any false mark among so many looks is 5%
        (Bonferroni).
        """
        n = (~np.isnan(self.change)).sum(axis=1)
        weight = np.where(np.isnan(self.correlation) | (np.arange(len(n)) == row), 0, n)
        if np.isnan(self.correlation[row]) or not weight.any():
            return float("nan"), False
        weight = weight / weight.sum()
        others = float(weight @ np.nan_to_num(self.correlation))
        change = np.nan_to_num(self.change)
        error = standard_error(change[row] - weight @ change)
        reach = float(stdtrit(n[row] - 1, 1 - 0.05 / looks)) * error
        return others, bool(self.correlation[row] + reach < others)


def measure_consistency(compared: Sequence[Columns], names: Sequence[str]) -> Consistency:
    """Return each rater's rank correlation with the mean of the others on the same items.

    Of questions with an order, and at least three raters: of two, either may be the inconsistent
    one.
    """
    ids: dict[str, int] = {}
    for block in compared:
        for item in block.items:
            ids.setdefault(item, len(ids))
    total, count = np.zeros(len(names)), np.zeros(len(names))
    change, entered = np.zeros((2, len(names), len(ids)))
    for block in compared:
        known = [row for row, name in enumerate(names) if name in block.by_judge]
        if block.question.kind not in ORDERED or len(known) < LEAST:
            continue
        values = block.matrix([names[row] for row in known])
        rest = others_mean(values)
        places = np.array([ids[item] for item in block.items])
        for row, own, others in zip(known, values, rest, strict=True):
            both = ~np.isnan(own) & ~np.isnan(others)
            groups = grouped(places, both)
            if groups.count < FEWEST:
                continue
            rho = resampled_rho(own[both], others[both], groups)
            left_out = rho.left_out()
            if np.isnan(left_out).any() or np.isnan(rho.value):
                continue
            items = np.unique(places[both])
            total[row] += rho.value
            count[row] += 1
            change[row, items] += left_out - rho.value
            entered[row, items] = 1
    with np.errstate(invalid="ignore"):
        part = np.where(entered > 0, change, np.nan) / count[:, None]
        return Consistency(total / count, part)
