"""Whether two juries differ: on the same items, with a correction for how many are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any

import numpy as np

from assize import stats
from assize.base.errors import ConfigError
from assize.base.signature import sign_text
from assize.juries.jury_result import JuryResult
from assize.results import Column, Estimate, Hidden, Test
from assize.results.types import NAN
from assize.stats._estimate import describe

RESAMPLES = 2_000
_SIGNED = Column(kind="percent", digits=1, unit="%", signed=True, ends="below")


@dataclass(frozen=True, slots=True)
class JuryPair:
    """Two juries on the items that both could be scored on.

    Args:
        set: the data set; None where there is only one.
        first, second: their names.
        difference: the first's share of right answers less the second's, with the percentile
            interval of a paired bootstrap.
        only_first, only_second: items that one of the two has right.
        p_value: of McNemar's exact test.
        p_holm: the same, corrected (Holm) for all pairs that were compared with it.
    """

    set: str | None
    first: str
    second: str
    n: int
    difference: Annotated[Estimate, _SIGNED]
    only_first: int
    only_second: int
    p_value: Annotated[float, Column("p", kind="p")]
    p_holm: Annotated[float, Column("p Holm", kind="p")]
    unscored: Hidden[int] = 0

    def exchanged(self) -> JuryPair:
        """The same with the juries in the other order."""
        low, high = self.difference.interval
        difference = replace(
            self.difference, estimate=-self.difference.estimate, interval=(-high, -low)
        )
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=difference,
            only_first=self.only_second,
            only_second=self.only_first,
        )


def right_on(result: JuryResult) -> dict[str, float]:
    """1 where a jury has an item right and 0 where not, by item; NaN where it is unscored.

    A tie is not right. With `unscored="loss"` what is unscored is not right either. Empty where
    no item has gold.
    """
    outcome = result.outcome
    if outcome.jury is None:
        return {}
    missing = np.nan if result.composition.unscored == "skip" else 0.0
    worth = {"win": 1.0, "unscored": missing}
    return {
        outcome.items[number]: worth.get(outcome.results[number], 0.0)
        for number in np.flatnonzero(outcome.counted).tolist()
    }


def compare_juries(
    right: Mapping[str, Mapping[str, float]], *, against: str | None = None, seed: int = 0
) -> list[JuryPair]:
    """Paired tests between juries, corrected for their number.

    Args:
        right: by jury, what `right_on` gives; items that one jury lacks are unscored.
        against: only comparisons with this jury, which are then all that is corrected for; it
            should be chosen before the figures are seen. All pairs when None.
        seed: of the bootstrap; every pair is drawn alike.

    Source: McNemar (1947), exact; Holm (1979) over all pairs.

    >>> right = {"a": {"p": 1.0, "q": 1.0}, "b": {"p": 0.0, "q": 1.0}}
    >>> pair = compare_juries(right)[0]
    >>> pair.difference.estimate, pair.p_value, pair.n
    (0.5, 1.0, 2)
    """
    if against is not None and against not in right:
        raise ConfigError(f"no jury {against!r} to compare with; there are {', '.join(right)}")
    items = list(dict.fromkeys(item for one in right.values() for item in one))
    columns = {
        name: np.array([one.get(item, np.nan) for item in items]) for name, one in right.items()
    }
    pairs = [(a, b) for a, b in combinations(columns, 2) if against in (None, a, b)]
    pairs = [(b, a) if b == against else (a, b) for a, b in pairs]
    tests = [stats.mcnemar(columns[a], columns[b]) for a, b in pairs]
    corrected = stats.adjust([one.p_value for one in tests])
    return [
        JuryPair(
            None,
            a,
            b,
            test.n,
            _difference(test, seed),
            int(test.details.get("only_first", 0)),
            int(test.details.get("only_second", 0)),
            test.p_value,
            p,
            test.unscored,
        )
        for (a, b), test, p in zip(pairs, tests, corrected, strict=True)
    ]


def _difference(test: Test, seed: int) -> Estimate:
    """The difference with a percentile interval: items are drawn anew, both juries' together.

    A drawn set differs by how often it holds an item that only one of the two has right, and
    these counts are multinomial.
    """
    method = describe("paired-bootstrap", 1, "percentile", RESAMPLES, f"seed:{seed}")
    signature, n = sign_text(method), test.n
    if n == 0:
        return Estimate(
            NAN, n=0, unscored=test.unscored, reason=test.reason, signature=signature, method=method
        )
    only = test.details["only_first"], test.details["only_second"]
    known: dict[str, Any] = {"n": n, "unscored": test.unscored, "clusters": n, "method": method}
    if not any(only):
        reason = "both are right on the same items"
        return Estimate(0.0, reason=reason, signature=signature, **known)
    shares = [only[0] / n, only[1] / n, max(0.0, 1 - sum(only) / n)]
    drawn = np.random.default_rng(seed).multinomial(n, shares, RESAMPLES)
    low, high = np.quantile((drawn[:, 0] - drawn[:, 1]) / n, [0.025, 0.975]).tolist()
    return Estimate(test.statistic, (low, high), signature=signature, **known)


def best(shares: Mapping[str, Estimate], but: Sequence[str] = ()) -> str | None:
    """The jury that is right most often, the first of equal ones; None where none is known."""
    known = {
        name: one.estimate
        for name, one in shares.items()
        if not np.isnan(one.estimate) and name not in but
    }
    return max(known, key=lambda name: known[name], default=None)
