"""What the fields of a result hold: figures with what is needed to judge them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeVar

from assize.results.columns import Column

NAN = float("nan")
NO_INTERVAL = (NAN, NAN)

TEXT = {"json": False}
"""Metadata of a field that holds what users wrote: `field(metadata=TEXT)` is shown in tables and
stands in no JSON."""

T = TypeVar("T")

Hidden = Annotated[T, Column(extra=True)]
"""`Hidden[int]` stands in JSON and data frames only."""

Percent = Annotated[T, Column(kind="percent", digits=1, unit="%")]
"""`Percent[Share]` is read as 62.6%, with its interval where it has one."""

PercentOnly = Annotated[T, Column(kind="percent", digits=1, unit="%", ends="none")]
"""`Percent` without its interval, which is in JSON and data frames."""

PValue = Annotated[float, Column(kind="p")]
"""In (0, 1]; NaN where there is too little data. A `LeastP` may be smaller still."""


def derive(record: object, **values: Any) -> None:
    """Set the fields of a frozen record that follow from its others (`field(init=False)`)."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


@dataclass(frozen=True, slots=True)
class Estimate:
    """One statistic with what is needed to judge it.

    Args:
        estimate: the value; NaN when it cannot be computed, and `reason` says why.
        interval: lower and upper end; (NaN, NaN) when there is none.
        n: rows (or items) that entered the value.
        unscored: rows that were given but hold a missing value, and so did not enter.
        reason: why the value or its interval is missing; None when both are there.
        signature: short hash of `method`; equal signatures mean comparable figures.
        method: the method, its version and its settings in words.
        clusters: independent units that the interval rests on.
        details: further figures of the method, by name.
    """

    estimate: float
    interval: tuple[float, float] = NO_INTERVAL
    n: int = 0
    unscored: int = 0
    reason: str | None = None
    signature: str = ""
    method: str = field(default="", repr=False)
    clusters: int = field(default=0, repr=False)
    details: Mapping[str, float] = field(default_factory=dict, repr=False)

    def within(self, scale: tuple[float, float] | None) -> Estimate:
        """The same figure with an interval that ends where its scale does.

        >>> Estimate(0.9, (0.7, 1.1)).within((0, 1)).interval
        (0.7, 1)
        """
        low, high = self.interval
        if scale is None or math.isnan(low) or not scale[0] <= self.estimate <= scale[1]:
            return self
        return replace(self, interval=(max(low, scale[0]), min(high, scale[1])))


@dataclass(frozen=True, slots=True)
class Share(Estimate):
    """How many of `n` have something, as a share in [0, 1].

    Args:
        count: how many.
    """

    count: int = 0


@dataclass(frozen=True, slots=True)
class Test:
    """The outcome of a test of significance.

    Args:
        statistic: what was observed.
        p_value: in (0, 1]; NaN when there is too little data, and `reason` says why; a `LeastP`
            where no random permutation was as extreme.
        monte_carlo_error: standard error of `p_value` from the finite number of random
            permutations; 0 for an exact test.
        permutations: how many arrangements were looked at, the observed one not counted
            (an exact test looks at all).
        exact: whether all arrangements were looked at.
        n, unscored, clusters, reason, signature, method, details: as in `Estimate`.
    """

    __test__ = False  # not a test class, whatever pytest thinks of its name

    statistic: float
    p_value: float
    monte_carlo_error: float = 0.0
    permutations: int = 0
    exact: bool = False
    n: int = 0
    unscored: int = 0
    clusters: int = field(default=0, repr=False)
    reason: str | None = None
    signature: str = ""
    method: str = field(default="", repr=False)
    details: Mapping[str, float] = field(default_factory=dict, repr=False)
