"""Intervals and tests of means by the standard error of replicates.

The replicates draw raters and predicted answers besides conversations, so the standard error is
that of all three. The interval is Student's t with it, and not the replicates' percentiles: a
period may have a dozen conversations, of which percentiles are too narrow.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtr, stdtrit

from assize.signature import sign_text
from assize.stats.estimate import Estimate, Test, describe
from assize.stats.resampling import percentile_ends
from assize.webapp.dashboard.figures.resampling import Drawn
from assize.webapp.dashboard.prepared.view import FloatArray

_UNDEFINED = 0.05  # largest share of replicates in which a mean may be undefined


def standard_error(drawn: FloatArray, conversations: int) -> float:
    """The standard error that replicates (B,) show; NaN where 5% of them are undefined.

    Args:
        conversations: N, of the smallest sample; drawing N of N conversations has (N - 1) / N of
            the variance, which is made up for.
    """
    known = drawn[~np.isnan(drawn)]
    if conversations < 2 or len(known) < (1 - _UNDEFINED) * len(drawn):
        return math.nan
    return float(known.std(ddof=1) * math.sqrt(conversations / (conversations - 1)))


def by_replicates(found: Estimate, drawn: FloatArray, conversations: int, told: Drawn) -> Estimate:
    """A mean, or a difference of means, with the interval that its replicates (B,) give.

    One that has no interval over conversations gets none.
    """
    error = standard_error(drawn, conversations)
    if math.isnan(found.interval[0]) or not error > 0:
        return found
    reach = float(stdtrit(conversations - 1, (1 + told.confidence) / 2)) * error
    return _changed(found, (found.estimate - reach, found.estimate + reach), "t", told)


def by_percentiles(found: Estimate, drawn: FloatArray, told: Drawn) -> Estimate:
    """A quantile with the percentiles of its replicates (B,), where it has an interval."""
    ends = percentile_ends(drawn, told.confidence)
    if math.isnan(found.interval[0]) or ends.reason is not None:
        return found
    return _changed(found, ends.interval, "percentile", told)


def difference_test(difference: float, drawn: FloatArray, conversations: int, told: Drawn) -> Test:
    """The two-sided test of no difference that agrees with `by_replicates`."""
    error = standard_error(drawn, conversations)
    method = _method("test", told)
    if not error > 0:
        return Test(math.nan, math.nan, n=conversations, reason="nothing varies", method=method)
    statistic = difference / error
    p = 2 * float(stdtr(conversations - 1, -abs(statistic)))
    return Test(statistic, p, n=conversations, signature=sign_text(method), method=method)


def _changed(found: Estimate, interval: tuple[float, float], kind: str, told: Drawn) -> Estimate:
    method = f"{found.method}|{_method(kind, told)}"
    return replace(found, interval=interval, method=method, signature=sign_text(method))


def _method(kind: str, told: Drawn) -> str:
    return describe(
        f"replicates-{kind}", 1, "+".join(told.sources), f"{told.confidence:.4g}",
        told.replicates, f"seed:{told.seed}",
    )  # fmt: skip
