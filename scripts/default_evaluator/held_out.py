"""Predictions of rows that a head did not see, and how good they are beside other heads'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.stats import Estimate, bootstrap_of, share, spearman
from assize.stats._arrays import FloatArray
from assize.stats._resampling import Interval

MODELS = ("head", "shape", "length")
BASELINES = ("shape", "length")


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Predictions for rows that the models did not see.

    Args:
        corpus: what was left out.
        left_out: in words: the corpus, or what was left out within it.
        level: `conversation`, `turn` or `pair`.
        predicted: by model (`MODELS`), (N,); of a pair A less B.
        target: (N,); of a pair +1, 0, -1.
        clusters: (N,) what the interval rests on.
        groups: (N,) raters, for the correlation within raters; None where unknown.
    """

    corpus: str
    left_out: str
    level: str
    predicted: dict[str, FloatArray]
    target: FloatArray
    clusters: NDArray[np.generic]
    groups: NDArray[np.generic] | None = None

    def measure(self, model: str = "head") -> Estimate:
        """Spearman's correlation; of pairs the share with the right sign."""
        values = self.predicted[model]
        if self.level == "pair":
            return share((np.sign(values) == self.target).astype(float), clusters=self.clusters)
        return spearman(values, self.target, clusters=self.clusters)

    def within(self, model: str = "head") -> Estimate | None:
        """The correlation after each rater's mean is taken out of both."""
        if self.groups is None:
            return None
        values = [without_means(part, self.groups) for part in (self.predicted[model], self.target)]
        return spearman(*values, clusters=self.clusters)

    def lowest(self, part: float = 0.25) -> Estimate:
        """Of the rows predicted lowest, the share that people put among their lowest too.

        `part` is the share of rows on both sides; `chance` is what to compare it with.
        """
        cut = np.quantile(self.predicted["head"], part)
        flagged = self.predicted["head"] <= cut
        poor = self.target <= np.quantile(self.target, part)
        return share(poor[flagged].astype(float), clusters=self.clusters[flagged])

    def chance(self, part: float = 0.25) -> float:
        """The share of all rows among the lowest by people: above `part` where labels tie."""
        return float(np.mean(self.target <= np.quantile(self.target, part)))

    def gain(self, baseline: str, rng: np.random.Generator) -> Estimate:
        """How much better the head is than a baseline, on the same rows."""
        pair = self.level == "pair"

        def difference(head: FloatArray, other: FloatArray, target: FloatArray) -> float:
            if pair:
                right = (np.sign(one) == target for one in (head, other))
                return float(np.subtract(*(np.mean(one) for one in right)))
            return _spearman(head, target) - _spearman(other, target)

        columns = (self.predicted["head"], self.predicted[baseline], self.target)
        interval = Interval("percentile", resamples=400, seed=int(rng.integers(2**32)))
        return bootstrap_of(difference, columns, clusters=self.clusters, interval=interval)


def _spearman(one: FloatArray, two: FloatArray) -> float:
    from scipy.stats import rankdata

    return float(np.corrcoef(rankdata(one), rankdata(two))[0, 1])


def without_means(values: FloatArray, groups: NDArray[np.generic]) -> FloatArray:
    """Values (N,) less the mean of their group."""
    codes = np.unique(groups, return_inverse=True)[1].reshape(-1)
    return np.asarray(values - (np.bincount(codes, values) / np.bincount(codes))[codes])


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a dimension may ship, and by how much it beats each baseline on average.

    The gain is the mean over what was held out, with a normal interval from the
    bootstrap intervals of the parts.
    """

    ships: bool
    gains: dict[str, tuple[float, float, float]]  # estimate, lower, upper


def verdict(found: Sequence[HeldOut], rng: np.random.Generator) -> Verdict:
    """A dimension ships where the head beats both baselines: on average with its interval
    above 0, and in every single corpus of conversations or pairs that was held out. Single turns
    count in the average only: a question is asked of conversations first.
    """
    gains, everywhere = {}, True
    for baseline in BASELINES:
        parts = [one.gain(baseline, rng) for one in found]
        everywhere = everywhere and all(
            part.estimate > 0 for part, one in zip(parts, found, strict=True) if one.level != "turn"
        )
        middle = float(np.mean([part.estimate for part in parts]))
        half = [(part.interval[1] - part.interval[0]) / 2 for part in parts]
        reach = float(np.sqrt(np.sum(np.square(half)))) / len(parts)
        gains[baseline] = (middle, middle - reach, middle + reach)
    return Verdict(everywhere and all(low > 0 for _, low, _ in gains.values()), gains)
