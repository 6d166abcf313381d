"""What `assize agree` is asked to find out, and how its figures are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assize.judgments.combine import Votes
from assize.stats import Interval
from assize.stats.compare import Measure


@dataclass(frozen=True, slots=True)
class Statistics:
    """How intervals and tests are made.

    Args:
        interval: kind of interval.
        permutations: random ones, of each test.
        threshold: margin of scores up to which a predicted preference is a tie.
        seed: of everything that is drawn; each figure starts from it anew.
    """

    interval: Interval = field(default_factory=Interval)
    permutations: int = 10_000
    threshold: float = 0.0
    seed: int = 0

    def rng(self) -> np.random.Generator:
        """Return a generator that stands at the seed."""
        return np.random.default_rng(self.seed)

    def sampled(self, clusters: np.ndarray) -> dict[str, Any]:
        """Return the arguments that every statistic with an interval takes."""
        return {"clusters": clusters, "how": self.interval, "rng": self.rng()}


@dataclass(frozen=True, slots=True)
class AgreeOptions:
    """What to find out.

    Args:
        judges: only these; all when None.
        gold: judge that counts as true, or `people`; when None, `gold` where it is there.
        compare: two judges to compare by their agreement with gold, by `measure`.
        cluster: field of the items that says which belong together; `item` for none.
        by: field of the items by which accuracy is also given.
        audit: audit the judges that are no people.
        own: system that a judge itself is, by judge.
        subgroup: field of the items by which an audit counts unscored rows.
        votes: how a judge's votes on one pair become one; see `combine`.
        mixed: questions that hold answers on different scales, as read together by `same`.
        statistics: how intervals and tests are made.
    """

    judges: Sequence[str] | None = None
    gold: str | None = None
    compare: tuple[str, str] | None = None
    measure: Measure | None = None
    cluster: str = "item"
    by: str | None = None
    audit: bool = False
    own: Mapping[str, str] = field(default_factory=dict)
    subgroup: str = "system"
    votes: Votes = "agree"
    mixed: Collection[str] = ()
    statistics: Statistics = field(default_factory=Statistics)
