"""What a gate asks: a limit on an end of a statistic's interval."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assize.base.errors import ConfigError
from assize.stats import Estimate, Interval, mean, quantile, share
from assize.stats._arrays import FloatArray

Kind = Literal["under", "over", "drop"]
STATISTICS = "mean, median, p10 (any percentile), share>=3 (also >, <=, <)"
_STATISTIC = re.compile(
    r"(?P<question>.+)\.(?P<statistic>mean|median|p\d{1,2}|share(?P<sign>>=|<=|>|<)"
    r"(?P<than>-?\d+(\.\d+)?))",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit.

    Args:
        kind: `under` fails where the lower end is below the limit, `over` where the upper end is
            above it, `drop` where the upper end of the drop since the baseline is.
        statistic: of `STATISTICS`.
    """

    kind: Kind
    question: str
    statistic: str
    limit: float

    @property
    def name(self) -> str:
        """As a table shows it."""
        statistic = "drop" if self.kind == "drop" else self.statistic
        sign = ">=" if self.kind == "under" else "<="
        return f"{self.question} {statistic} {sign} {self.limit:g}"


def thresholds(
    given: Mapping[str, float | str], kind: Kind, asked: Sequence[str]
) -> list[Threshold]:
    """Limits by `QUESTION` or `QUESTION.STATISTIC`.

    Raises:
        ConfigError: a limit is no number, or there is no such question.

    >>> thresholds({"Q0.share>=3": "0.8"}, "under", ["Q0"])[0].name
    'Q0 share>=3 >= 0.8'
    """
    return [_threshold(name, limit, kind, asked) for name, limit in given.items()]


def _threshold(name: str, limit: float | str, kind: Kind, asked: Sequence[str]) -> Threshold:
    flag = {"under": "fail_under", "over": "fail_over", "drop": "max_drop"}[kind]
    try:
        number = float(limit)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ConfigError(f"{flag} {name}={limit}: write a number after =, as overall=0.6")
    if name in asked:
        return Threshold(kind, name, "mean", number)
    found = _STATISTIC.fullmatch(name)
    if found is None or found["question"] not in asked:
        raise ConfigError(
            f"{flag} {name}: no such question; judged are {', '.join(asked)}. A statistic stands"
            f" behind a dot: {STATISTICS}"
        )
    if kind == "drop" and found["statistic"] != "mean":
        raise ConfigError(f"{flag} {name}: a drop is one of the mean; write {found['question']}")
    return Threshold(kind, found["question"], found["statistic"], number)


def measured(
    values: FloatArray, statistic: str, clusters: Sequence[str] | None, confidence: float
) -> Estimate:
    """A statistic of values (N,), NaN for unscored, with its interval."""
    labels = None if clusters is None else np.array(clusters)
    if statistic == "mean":
        return mean(values, clusters=labels, interval=Interval(confidence=confidence))
    if statistic.startswith("share"):
        found = _STATISTIC.fullmatch(f"q.{statistic}")
        assert found is not None
        than = float(found["than"])
        hit = {">=": values >= than, "<=": values <= than, ">": values > than, "<": values < than}[
            found["sign"]
        ]
        hits = np.where(np.isnan(values), np.nan, hit)
        return share(hits, clusters=labels, confidence=confidence)
    at = 0.5 if statistic == "median" else int(statistic[1:]) / 100
    return quantile(values, min(max(at, 0.005), 0.995), confidence=confidence)
