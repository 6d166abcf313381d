"""What makes a statistic comparable: its method in words, and the state of a generator."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from assize.base.signature import sign_text
from assize.results.types import NAN, NO_INTERVAL, Estimate


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
