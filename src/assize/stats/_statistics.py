"""How a function makes its intervals and tests: what a caller says of it, and what is used."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError
from assize.stats._resampling import JACKKNIFE, METHODS, Interval, Method

ITEM = "item"
"""The cluster of items of which each stands for itself."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Statistics:
    """How intervals and tests are made.

    What is left out is as the function has it by default: `Statistics(seed=1)` changes the seed
    alone. The default in a function's signature names all that the function uses.

    Args:
        interval: how intervals are computed; percentile is a bootstrap.
        confidence: confidence level of the intervals, below 1; tests are at the level of 1 less
            this.
        resamples: bootstrap samples behind each interval.
        permutations: random permutations per test.
        cluster: field whose items depend on each other and stay together in resamples, for example
            user, or item for none.
        seed: random seed.

    Raises:
        ConfigError: a value is not allowed.

    >>> Statistics(permutations=2_000)
    Statistics(permutations=2000)
    """

    interval: Method | None = None
    confidence: float | None = None
    resamples: int | None = None
    permutations: int | None = None
    cluster: str | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        check_word("interval", self.interval, METHODS)
        check_range("confidence", self.confidence, 0.5, 1 - 1e-6)
        check_range("resamples", self.resamples, 1)
        check_range("permutations", self.permutations, 1)
        check_range("seed", self.seed, 0)

    def __repr__(self) -> str:
        return f"Statistics({', '.join(f'{name}={value!r}' for name, value in self.used.items())})"

    @property
    def used(self) -> dict[str, Any]:
        """What is not left out, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def settings(self, defaults: Statistics) -> StatisticsSettings:
        """Return these settings, with a function's own for what is left out.

        Args:
            defaults: the function's own, all that it uses.

        Raises:
            ConfigError: something is set that the function does not use.
        """
        for name in self.used:
            if name not in defaults.used:
                raise ConfigError(
                    f"statistics: nothing here depends on {name}; of Statistics leave it out,"
                    f" and set {' or '.join(defaults.used)}"
                )
        values = _USUAL.used | defaults.used | self.used
        interval = Interval(
            values["interval"], values["confidence"], values["resamples"], values["seed"]
        )
        return StatisticsSettings(interval, values["permutations"], values["cluster"])


_USUAL = Statistics(
    interval="jackknife",
    confidence=0.95,
    resamples=1_000,
    permutations=10_000,
    cluster=ITEM,
    seed=0,
)


@dataclass(frozen=True, slots=True)
class StatisticsSettings:
    """How the intervals and tests of a function are made, each thing said.

    Args:
        interval: how intervals are made; its seed is that of everything that is drawn.
        permutations: random permutations per test.
        cluster: field of the items that says which depend on each other; `item` for none.
    """

    interval: Interval = JACKKNIFE
    permutations: int = 10_000
    cluster: str = ITEM

    @property
    def seed(self) -> int:
        """Of everything that is drawn; each figure starts from it anew."""
        return self.interval.seed

    @property
    def confidence(self) -> float:
        """Of the intervals."""
        return self.interval.confidence

    @property
    def field(self) -> str | None:
        """The field of clusters; None where each item stands for itself."""
        return None if self.cluster == ITEM else self.cluster

    @property
    def level(self) -> float:
        """Of the tests: 1 less the confidence, as it is written (0.05 for 0.95)."""
        return round(1 - self.confidence, 9)

    def rng(self) -> np.random.Generator:
        """Return a generator that stands at the seed."""
        return np.random.default_rng(self.seed)

    def intervals(self, clusters: np.ndarray) -> dict[str, Any]:
        """Return the arguments that every statistic with an interval takes."""
        return {"clusters": clusters, "interval": self.interval}
