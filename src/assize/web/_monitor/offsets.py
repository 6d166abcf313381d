"""How lenient a rater is: how far above or below the others of the same items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.web._monitor.agreement import FEW, looked_at
from assize.web._monitor.collected import Answered


@dataclass(frozen=True, slots=True)
class Offset:
    """A rater's answers to one question less the mean of the others' to the same items.

    Args:
        mean: on the question's scale; of a preference 1 is A and -1 is B.
        stands_out: whether it is not 0 beyond doubt, all raters and questions looked at together.
    """

    rater: str
    question: str
    mean: Estimate
    stands_out: bool

    @property
    def verdict(self) -> str:
        """What it means, in words; "" where nothing stands out."""
        if not self.stands_out:
            return ""
        return f"rates {'higher' if self.mean.estimate > 0 else 'lower'} than the others"


def has_direction(found: Answered) -> bool:
    """Whether answers lie above and below each other."""
    return found.question.kind not in ("nominal", "text")


def from_others(found: Answered) -> FloatArray:
    """(A,) each answer less the mean of the others' to the same unit; NaN where there is none."""
    m = found.ratings.astype(float)
    total = np.bincount(found.unit, found.value, len(m))
    with np.errstate(divide="ignore", invalid="ignore"):
        others = (total[found.unit] - found.value) / (m[found.unit] - 1)
    return np.asarray(np.where(m[found.unit] >= 2, found.value - others, np.nan))


def offsets(asked: Sequence[Answered]) -> list[Offset]:
    """Every rater's offset on every question whose answers are ordered.

    The intervals rest on items. `stands_out` allows for the number of raters and questions: the
    chance that any is said to differ who does not is about 5%.
    """
    scaled = [one for one in asked if has_direction(one)]
    looks = sum(len(one.raters) for one in scaled)
    found = []
    for one in scaled:
        gap, items = from_others(one), one.items[one.unit]
        for place, rater in enumerate(one.raters):
            mine = (one.rater == place) & ~np.isnan(gap)
            mean = stats.mean(gap[mine], clusters=items[mine])
            wide = stats.mean(gap[mine], clusters=items[mine], interval=looked_at(looks))
            low, high = wide.interval
            beyond = mean.clusters >= FEW and (low > 0 or high < 0)
            found.append(Offset(rater, one.question.id, mean, bool(beyond)))
    return found
