"""The records in which every statistic is returned, and the signature that makes it comparable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assize.signature import sign_text

NAN = float("nan")
NO_INTERVAL = (NAN, NAN)


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
    method: str = ""
    clusters: int = 0
    details: Mapping[str, float] = field(default_factory=dict)

    def within(self, scale: tuple[float, float] | None) -> Estimate:
        """The same figure with an interval that ends where its scale does.

        >>> Estimate(0.9, (0.7, 1.1)).within((0, 1)).interval
        (0.7, 1)
        """
        low, high = self.interval
        if scale is None or math.isnan(low) or not scale[0] <= self.estimate <= scale[1]:
            return self
        return replace(self, interval=(max(low, scale[0]), min(high, scale[1])))

    def to_json(self) -> dict[str, Any]:
        """The object that stands in `--json`: NaN is null, and the reason stands beside it."""
        value: dict[str, Any] = {
            "estimate": nullable(self.estimate),
            "interval": [nullable(end) for end in self.interval],
            "n": self.n,
            "unscored": self.unscored,
            "signature": self.signature,
        }
        if self.reason is not None:
            value["reason"] = self.reason
        return value

    def to_share(self) -> dict[str, Any]:
        """A share as it stands in `--json`: how many, percent of all, interval in percent."""
        ends = [None if math.isnan(end) else round(100 * end, 2) for end in self.interval]
        percent = None if math.isnan(self.estimate) else round(100 * self.estimate, 2)
        return {"count": int(self.details["count"]), "percent": percent, "interval": ends}


@dataclass(frozen=True, slots=True)
class Test:
    """The outcome of a test of significance.

    Args:
        statistic: what was observed.
        p_value: in (0, 1]; NaN when there is too little data, and `reason` says why.
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
    clusters: int = 0
    reason: str | None = None
    signature: str = ""
    method: str = ""
    details: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The object that stands in `--json`."""
        value: dict[str, Any] = {
            "estimate": nullable(self.statistic),
            "p_value": nullable(self.p_value),
            "monte_carlo_error": nullable(self.monte_carlo_error),
            "permutations": self.permutations,
            "exact": self.exact,
            "n": self.n,
            "unscored": self.unscored,
            "signature": self.signature,
        }
        if self.reason is not None:
            value["reason"] = self.reason
        return value


def nullable(value: float) -> float | None:
    """The number, or None where it is not finite and JSON has no word for it."""
    return float(value) if math.isfinite(value) else None


def describe(name: str, version: int, *settings: object) -> str:
    """The words of a method: `name|v1|setting|setting`; a setting of None is left out."""
    return "|".join([name, f"v{version}", *(str(one) for one in settings if one is not None)])


def generator_state(rng: np.random.Generator) -> str:
    """Six digits for where a generator stands, so that a sampled figure can be drawn again."""
    state = repr(sorted(_flat(rng.bit_generator.state).items()))
    return f"rng:{sign_text(state, 6)}"


def _flat(state: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in state.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value.tobytes().hex() if hasattr(value, "tobytes") else str(value)
    return flat


def missing(
    name: str, version: int, reason: str, *, n: int = 0, unscored: int = 0, clusters: int = 0
) -> Estimate:
    """An estimate that could not be made, with its reason."""
    method = describe(name, version)
    return Estimate(NAN, NO_INTERVAL, n, unscored, reason, sign_text(method), method, clusters)
