"""Intervals and tests of means and shares by the standard error of replicates.

The replicates draw raters and predicted answers besides conversations, so the standard error is
that of all three. The interval is Student's t with it, and not the replicates' percentiles: a
period may have a dozen conversations, of which percentiles are too narrow. Shares have Wilson's.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtr, stdtrit

from assize.base.signature import sign_text
from assize.results.types import NO_INTERVAL, Estimate, Test
from assize.stats._estimate import describe
from assize.stats._intervals import wilson_ends
from assize.stats._resampling import percentile_ends
from assize.web._dashboard.figures.resampling import Drawn
from assize.web._dashboard.prepared.view import FloatArray

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


def share_by_replicates(
    share: float, drawn: FloatArray, conversations: int, answers: int, n: int, told: Drawn
) -> Estimate:
    """A share with the interval that its replicates (B,) give: Wilson's at the effective size.

    That is how many independent answers would have the replicates' standard error. It lies
    between 1 and the number of answers. Where nobody, or everybody, gives the answer, it is the
    number of conversations: replicates are then all alike.

    Args:
        conversations: that were answered.
        answers: of raters about them.
        n: what is counted: either of these.

    Source: Korn and Graubard (1998), as `stats.share`.
    """
    method = _method("wilson", told)
    signature, error = sign_text(method), standard_error(drawn, conversations)
    if math.isnan(error) or not told.sources:
        reason = "an interval needs at least 2 conversations, and raters for each"
        return Estimate(share, NO_INTERVAL, n, 0, reason, signature, method, conversations)
    size = float(conversations)
    if 0 < share < 1:
        size = min(max(1.0, share * (1 - share) / error**2), answers) if error > 0 else answers
    critical = float(stdtrit(conversations - 1, (1 + told.confidence) / 2))
    ends = wilson_ends(share, size, critical)
    return Estimate(share, ends, n, 0, None, signature, method, conversations)


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
        f"replicates-{kind}",
        1,
        "+".join(told.sources),
        f"{told.confidence:.4g}",
        told.replicates,
        f"seed:{told.seed}",
    )
