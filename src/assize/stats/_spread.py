"""Values in short: their mean, and the quantiles between the least and the greatest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from assize.results.columns import Column
from assize.results.types import Estimate, Share
from assize.stats._intervals import mean, share

QUANTILES = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)


@dataclass(frozen=True, slots=True)
class Spread:
    """How values are spread; NaN where there is none.

    Args:
        mean: with its interval.
        least, q05, q25, q50, q75, q95, greatest: quantiles.
        low: the share at or below a threshold; None where there is no threshold.
    """

    mean: Annotated[Estimate, Column(digits=2)]
    least: Annotated[float, Column(extra=True)]
    q05: Annotated[float, Column("5%", digits=2)]
    q25: Annotated[float, Column(extra=True)]
    q50: Annotated[float, Column("50%", digits=2)]
    q75: Annotated[float, Column(extra=True)]
    q95: Annotated[float, Column("95%", digits=2)]
    greatest: Annotated[float, Column(extra=True)]
    low: Annotated[Share | None, Column(kind="percent", digits=0, ends="none", unit="%")] = None

    @classmethod
    def of(
        cls,
        values: ArrayLike,
        scale: tuple[float, float] | None = None,
        *,
        clusters: ArrayLike | None = None,
        low: float | None = None,
    ) -> Spread:
        """Return the spread of values; the mean's interval is cut at the scale's ends.

        Args:
            values: (N,); NaN is unscored.
            clusters: (N,) labels of values that belong together.
            low: a threshold.
        """
        array = np.asarray(values, dtype=float)
        known = array[~np.isnan(array)]
        points = np.quantile(known, QUANTILES) if len(known) else np.full(len(QUANTILES), math.nan)
        below = np.where(np.isnan(array), np.nan, array <= (math.nan if low is None else low))
        return cls(
            mean(array, clusters=clusters).within(scale),
            *points.tolist(),  # type: ignore[misc]  # its length is not known to the checker
            low=None if low is None else share(below, clusters=clusters),
        )

    @property
    def n(self) -> int:
        """How many values there are."""
        return self.mean.n
