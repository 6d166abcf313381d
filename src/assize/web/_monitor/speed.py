"""How long raters take, beside the others of the same items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize import stats
from assize.stats import Estimate
from assize.web._monitor.agreement import FEW, looked_at
from assize.web._monitor.collected import Work, ordinary

FAST, SLOW = 0.5, 2.0  # of the others' time


@dataclass(frozen=True, slots=True)
class Speed:
    """A rater's time beside that of the others of the same items.

    Args:
        seconds: the median over all forms; NaN where none was timed.
        ratio: geometric mean of own time over the others'; 0.5 is half their time.
        stands_out: "fast" or "slow" where that is beyond doubt, all raters looked at together:
            below half, or above twice the others' time. "" else.
    """

    rater: str
    forms: int
    seconds: float
    ratio: Estimate
    stands_out: str

    @property
    def verdict(self) -> str:
        """What it means, in words; "" where nothing stands out."""
        words = {"fast": "takes less than half", "slow": "takes more than twice"}
        return f"{words[self.stands_out]} the others' time" if self.stands_out else ""


def speeds(work: Sequence[Work]) -> list[Speed]:
    """Every rater's speed, on first answers to ordinary items; untimed forms are left out."""
    timed = [one for one in work if ordinary(one) and one.seconds > 0]
    raters = sorted({one.rater for one in timed})
    at = {name: place for place, name in enumerate(raters)}
    items: dict[str, int] = {}
    item = np.array([items.setdefault(one.item, len(items)) for one in timed], dtype=np.int64)
    rater = np.array([at[one.rater] for one in timed], dtype=np.int64)
    seconds = np.array([one.seconds for one in timed], dtype=float)
    logs = np.log(seconds)
    m = np.bincount(item, minlength=len(items)).astype(float)
    total = np.bincount(item, logs, len(items))
    with np.errstate(divide="ignore", invalid="ignore"):
        others = (total[item] - logs) / (m[item] - 1)
    gap = np.where(m[item] >= 2, logs - others, np.nan)
    found = []
    for name, place in at.items():
        mine = rater == place
        ratio = _exponential(stats.mean(gap[mine]))
        wide = _exponential(stats.mean(gap[mine], interval=looked_at(len(raters))))
        said = ""
        if ratio.n >= FEW:
            said = "fast" if wide.interval[1] < FAST else "slow" if wide.interval[0] > SLOW else ""
        found.append(Speed(name, int(mine.sum()), float(np.median(seconds[mine])), ratio, said))
    return found


def _exponential(found: Estimate) -> Estimate:
    low, high = np.exp(found.interval).tolist()
    return replace(found, estimate=float(np.exp(found.estimate)), interval=(low, high))
