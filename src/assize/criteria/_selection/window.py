"""Which scores can be labelled with a wanted precision, and which are left open.

        low cut             high cut
    bad    │   left open       │   good
    ───────┴───────────────────┴──────────► NetSAT

Source: RUBICON, section 4.2. The paper finds the window on the conversations that it is then
measured on; to be used, it must be found on others (`yield_rate` takes it from anywhere).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.base.errors import ConfigError
from assize.criteria._selection.pool import Mask
from assize.stats._arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Window:
    """Scores up to `low` are labelled bad, those above `high` good, those between left open.

    Where the cuts would cross, nothing is left open and both are the same. -inf or inf stands
    where no score can be labelled with the precision wanted.
    """

    low: float
    high: float
    precision: float

    def labelled(self, nets: FloatArray) -> Mask:
        """Which scores (N,) are labelled; NaN is not."""
        found: Mask = (nets <= self.low) | (nets > self.high)
        return found

    def good(self, nets: FloatArray) -> Mask:
        """Which scores (N,) are labelled good."""
        found: Mask = nets > self.high
        return found


@dataclass(frozen=True, slots=True)
class Yielded:
    """The share of conversations that is labelled, and how often the label is right."""

    share: float
    precision: float  # realised; NaN where nothing is labelled
    labelled: int
    n: int


def window(
    nets: FloatArray,
    good: Mask,
    midpoint: float,
    precision: float = 0.9,
    prevalence: float | None = None,
) -> Window:
    """The cuts between which precision is not reached.

    The low cut is the largest score up to which negative precision stays at least `precision`,
    the high cut the smallest from which positive precision does. Where they cross, every cut
    between them, and on to the next score, satisfies both; the one nearest to `midpoint` separates
    the labels. So classes that do not overlap are parted at the midpoint, not at their edge.

    Args:
        nets: (N,) scores; NaN is left out.
        good: (N,) labels.
        midpoint: the threshold of the set.
        precision: wanted, in (0, 1].
        prevalence: as in `Objective`.
    """
    if not 0 < precision <= 1:
        raise ConfigError(
            f"precision is {precision}; it must lie above 0 and be at most 1", "precision"
        )
    kept = ~np.isnan(nets)
    scores, places = np.unique(nets[kept], return_inverse=True)
    goods = np.bincount(places[good[kept]], minlength=len(scores)).astype(np.float64)
    bads = np.bincount(places[~good[kept]], minlength=len(scores)).astype(np.float64)
    if prevalence is not None:
        goods *= prevalence / max(goods.sum(), 1)
        bads *= (1 - prevalence) / max(bads.sum(), 1)
    below = np.cumsum(bads) / np.cumsum(goods + bads)  # at or below each score
    above = np.cumsum(goods[::-1])[::-1] / np.cumsum((goods + bads)[::-1])[::-1]  # from each on
    reached = int(np.argmin(np.append(below >= precision, False)))
    kept_above = int(np.argmin(np.append((above >= precision)[::-1], False)))
    low = scores[reached - 1] if reached else -np.inf
    first = len(scores) - kept_above  # the first score that is labelled good
    high = scores[first - 1] if 0 < first < len(scores) else (np.inf if first else -np.inf)
    if low >= high:
        following = scores[reached] if reached < len(scores) else np.inf
        low = high = midpoint if low < midpoint < following else min(max(midpoint, high), low)
    return Window(float(low), float(high), precision)


def yield_rate(found: Window, nets: FloatArray, good: Mask) -> Yielded:
    """What a window labels among conversations whose labels are known; NaN scores count as n."""
    labelled = found.labelled(nets)
    count = int(labelled.sum())
    right = found.good(nets)[labelled] == good[labelled]
    realised = float(right.mean()) if count else float("nan")
    return Yielded(count / len(nets), realised, count, len(nets))
