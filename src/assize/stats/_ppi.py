"""Estimates from few human and many machine labels: prediction-powered inference.

The mean human label is estimated by the machine's mean over all items, put right by how far the
machine is off on the items that people labelled too. A weight between 0 (people only) and 1
says how much of the machine to use; PPI++ tunes it to the smallest variance.

Source: Angelopoulos et al. (2023), Prediction-powered inference; Angelopoulos, Duchi and
Zrnic (2023), PPI++, section 6. Differs: clusters, Student's t, a weight that is
shrunk by its own standard error, so that the tuning does not eat up the coverage, and
for rates Wilson's interval in place of the normal one, which covers far too rarely near 0
and 1: there the few labels that tell how far the machine is off are often not among those drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.results.types import NAN, NO_INTERVAL, Estimate
from assize.stats._arrays import Clusters, FloatArray, grouped, numbers, same_length
from assize.stats._estimate import describe
from assize.stats._intervals import wilson_ends
from assize.stats._power import least_count

_LEAST = 3  # labelled clusters
_IMAGINED = 0.5  # items added to each pair of answers for the variance of a rate


@dataclass(frozen=True, slots=True)
class Powered:
    """A prediction-powered estimate beside the one from human labels alone.

    Args:
        powered: the estimate with its interval; `n` counts human labels,
            `details["machine"]` the items with a machine label alone.
        human: from the human labels alone.
        weight: of the machine's labels, in [0, 1].
        gain: variance of `human` over that of `powered`: how many human labels each one is
            worth.
    """

    powered: Estimate
    human: Estimate
    weight: float
    gain: float


def ppi_mean(
    human: ArrayLike,
    machine: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    weight: float | None = None,
    confidence: float = 0.95,
) -> Powered:
    """Estimate the mean human label of all items, from a few human and many machine labels.

    Args:
        human: (N,) a person's label, NaN where nobody labelled. Which items were labelled
            must not depend on the items (draw them at random).
        machine: (N,) the machine's label of every item; NaN where it failed (such items
            count as unscored and are left out, labelled ones too).
        clusters: (N,) labels of items that are not independent.
        weight: of the machine, in [0, 1]; tuned when None (0 gives people alone).
        confidence: of the intervals.

    Returns:
        NaN with a reason with fewer than 3 labelled clusters. Labels of two values, or of three
        evenly spaced ones, are a rate: its interval is Wilson's (1927) on the effective number of
        labels, from a variance with half an item added to each pair of extreme answers (Agresti
        and Min, 2005).

    For a win rate pass 1 for a win, 0 for a loss, 0.5 for a tie; for a difference of two
    systems on the same items pass the differences.
    """
    truth, guess = numbers(human, "human"), numbers(machine, "machine")
    same_length(human=truth, machine=guess)
    if weight is not None and not 0 <= weight <= 1:
        raise DataError(f"`weight` must lie in [0, 1]; it is {weight}")
    keep = ~np.isnan(guess)
    truth, guess = truth[keep], guess[keep]
    groups, unscored = grouped(clusters, keep), int((~keep).sum())
    labelled = ~np.isnan(truth)
    n, alone = int(labelled.sum()), int((~labelled).sum())
    chosen = "tuned" if weight is None else f"weight:{weight:g}"
    codes = np.arange(len(truth)) if groups.codes is None else groups.codes
    count = len(np.unique(codes[labelled]))
    ends = _ends_of_rate(truth[labelled], guess)
    kind = None if ends is None else "wilson"
    method = describe("ppi_mean", 2, chosen, f"{confidence:.4g}", f"clusters:{count}", kind)
    if count < _LEAST:
        reason = f"needs human labels in at least {_LEAST} clusters; there are {count}"
        nothing = Estimate(NAN, NO_INTERVAL, n, unscored, reason, sign_text(method), method, count)
        return Powered(nothing, nothing, NAN, NAN)
    pulls = _Pulls.of(truth, guess, labelled, groups)
    used = pulls.tuned() if weight is None else weight
    used = used if alone else 0.0
    critical = float(stdtrit(count - 1, (1 + confidence) / 2))
    error = math.sqrt(pulls.variance(used))
    details = {"machine": float(alone), "weight": used, "standard_error": error}

    def estimated(share: float) -> Estimate:
        """The estimate that takes so much of the machine."""
        far = guess[~labelled].mean() if alone else 0.0
        centre = float(truth[labelled].mean() + share * (far - guess[labelled].mean()))
        reach = critical * math.sqrt(pulls.variance(share))
        interval, reason = (centre - reach, centre + reach), None
        if ends is not None:
            centre = min(ends[1], max(ends[0], centre))
            imagined = _Pulls.imagined(truth, guess, labelled, groups, ends, count)
            interval = _wilson_ends(centre, imagined.variance(share), critical, ends, count)
        if not interval[1] > interval[0]:
            reason = "no variation between clusters to estimate an interval from"
            interval = NO_INTERVAL
        signature = sign_text(method)
        return Estimate(centre, interval, n, unscored, reason, signature, method, count, details)

    gain = pulls.variance(0.0) / error**2 if error > 0 else NAN
    return Powered(estimated(used), estimated(0.0), used, gain)


def _ends_of_rate(labels: FloatArray, guess: FloatArray) -> tuple[float, float] | None:
    """Return the least and greatest label where labels are a rate, else None.

    Where all labels are the same, the machine's two answers say what the other one is.
    """
    values = np.unique(labels)
    if len(values) == 1 and values[0] in (both := np.unique(guess)) and len(both) == 2:
        values = both
    even = len(values) == 3 and math.isclose(values[1] - values[0], values[2] - values[1])
    return (float(values[0]), float(values[-1])) if len(values) == 2 or even else None


def _wilson_ends(
    mean: float, variance: float, critical: float, ends: tuple[float, float], count: int
) -> tuple[float, float]:
    """Return Wilson's interval of a mean within `ends`, given its variance with imagined items."""
    low, high = ends
    width = high - low
    share, spread = (mean - low) / width, variance / width**2
    inside = (count * share + 4 * _IMAGINED / 2) / (count + 4 * _IMAGINED)
    size = max(1.0, inside * (1 - inside) / spread)
    least, greatest = wilson_ends(share, size, critical)
    return low + width * least, low + width * greatest


@dataclass(frozen=True, slots=True)
class _Pulls:
    """What each cluster contributes to the two parts of the estimate, centred."""

    human: FloatArray  # (G,) mean of human labels
    machine: FloatArray  # (G,) mean machine label of the unlabelled less of the labelled items
    often: FloatArray  # (G,) how often each cluster counts: 1, of imagined ones less
    labelled: float  # clusters with human labels

    @classmethod
    def of(
        cls,
        truth: FloatArray,
        guess: FloatArray,
        labelled: NDArray[np.bool_],
        groups: Clusters,
        often: FloatArray | None = None,
    ) -> _Pulls:
        has = labelled
        weights = np.ones(len(has)) if often is None else often
        n, alone = float(weights[has].sum()), int((~has).sum())
        labels, answers = (np.average(x[has], weights=weights[has]) for x in (truth, guess))
        away = np.where(has, truth - labels, 0.0) / n
        near = np.where(has, guess - answers, 0.0) / n
        far = np.where(has, 0.0, guess - (guess[~has].mean() if alone else 0)) / max(1, alone)
        sums = groups.sums(np.stack([away, far - near, weights, np.ones(len(has)), has], axis=1))
        often = sums[:, 2] / sums[:, 3]
        return cls(sums[:, 0], sums[:, 1], often, float(often[sums[:, 4] > 0].sum()))

    @classmethod
    def imagined(
        cls,
        truth: FloatArray,
        guess: FloatArray,
        labelled: NDArray[np.bool_],
        groups: Clusters,
        ends: tuple[float, float],
        count: int,
    ) -> _Pulls:
        """The same with half a cluster more for each pair of extreme answers.

        They stand for what the machine gets wrong so rarely that no such item was labelled.
        """
        size = 1 if groups.codes is None else round(labelled.sum() / count)
        pairs = [(label, answer) for label in ends for answer in (guess.min(), guess.max())]
        more = np.repeat(np.array(pairs), size, axis=0)
        codes = None
        if groups.codes is not None:
            codes = np.concatenate([groups.codes, groups.count + np.repeat(np.arange(4), size)])
        return cls.of(
            np.concatenate([truth, more[:, 0]]),
            np.concatenate([guess, more[:, 1]]),
            np.concatenate([labelled, np.ones(len(more), dtype=bool)]),
            Clusters(codes, groups.count + 4),
            np.concatenate([np.ones(len(truth)), np.full(len(more), _IMAGINED)]),
        )

    def variance(self, weight: float) -> float:
        """Of the estimate at that weight."""
        scale = self.labelled / (self.labelled - 1)
        return float(scale * np.sum(self.often * (self.human + weight * self.machine) ** 2))

    def tuned(self) -> float:
        """The weight of least variance, in [0, 1]: a slope, shrunk by slope^2 / (slope^2 +
        error^2), for it is tuned on the very labels it then serves."""
        squares = float(self.machine @ self.machine)
        if squares == 0:
            return 0.0
        slope = -float(self.human @ self.machine) / squares
        rest = self.human + slope * self.machine
        error2 = float(np.sum((rest * self.machine / squares) ** 2))
        if slope <= 0:
            return 0.0
        return min(1.0, slope * slope**2 / (slope**2 + error2))


@dataclass(frozen=True, slots=True)
class MoreLabels:
    """How many human labels an interval of some width takes.

    Args:
        total: human labels in all; `more` of them are still to be made.
        human_only: labels in all that it would take without the machine.
        reason: why there is no answer (the counts are then -1): for instance that the
            machine's items are too few for the width, however many people label.
        warning: that the machine makes the answer worse than people alone would be.
    """

    total: int
    more: int
    human_only: int
    reason: str | None = None
    warning: str | None = None


def labels_needed(found: Powered, width: float, *, confidence: float = 0.95) -> MoreLabels:
    """Return how many more human labels it takes until the interval is that wide.

    Args:
        found: a first estimate from at least 3 labelled clusters; about 30 make the answer
            reliable to a tenth.
        width: of the whole interval, in the unit of the labels; above 0.

    The variance splits into a part that shrinks with human labels and one that shrinks with
    machine labels alone; the answer keeps the latter, the weight and the rows a cluster.
    """
    if not width > 0:
        raise DataError(f"`width` must be above 0; it is {width}")
    n, alone = found.powered.n, found.powered.details.get("machine", 0.0)
    if math.isnan(found.gain):
        return MoreLabels(-1, -1, -1, found.powered.reason or "the estimate has no variance")
    error = found.powered.details["standard_error"]
    human_error = error * math.sqrt(found.gain)
    # The part of the variance that the finite number of machine labels leaves: with tuned weight w
    # the gain is w^2 var(f) (1/n + 1/N), of which w^2 var(f) / N stays.
    fixed = 0.0
    if found.weight > 0 and alone > 0:
        fixed = max(0.0, human_error**2 - error**2) / (1 / n + 1 / alone) / alone
    warning = None
    if found.gain < 1:
        warning = (
            f"at weight {found.weight:.2g} the machine makes the answer worse: a label is worth"
            f" {found.gain:.2g} of one without it; leave the weight to be tuned, or the machine out"
        )
    human_only = _count(human_error**2 * n, 0.0, width, confidence)
    total = _count((error**2 - fixed) * n, fixed, width, confidence)
    if total < 0:
        reason = "the machine's items alone leave the interval wider: judge more of them"
        return MoreLabels(-1, -1, human_only, reason, warning)
    return MoreLabels(total, max(0, total - n), human_only, None, warning)


def _count(shrinking: float, fixed: float, width: float, confidence: float) -> int:
    """The least n with 2 t(n - 1) sqrt(shrinking / n + fixed) <= width; -1 if there is none."""

    def enough(n: int) -> bool:
        quantile = float(stdtrit(n - 1, (1 + confidence) / 2))
        return 2 * quantile * math.sqrt(shrinking / n + fixed) <= width

    return least_count(enough, _LEAST)
