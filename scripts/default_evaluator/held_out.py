"""Predictions of rows that a head did not see, and how good they are beside other heads'."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._heads.ridge import group_means
from assize.stats import Estimate, share, spearman
from assize.stats._arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Predictions for rows that the models did not see.

    Args:
        corpus: what was left out.
        left_out: in words: the corpus, or what was left out within it.
        level: `conversation`, `turn` or `pair`.
        predicted: by model, (N,); of a pair A less B.
        target: (N,); of a pair +1, 0, -1.
        clusters: (N,) what the interval rests on.
        raters: (N,) who judged; None where unknown.
        systems: (N,) whose answers were judged; None where unknown.
        one_rater: correlation of one rater with the mean of the others; NaN where a row has one.
    """

    corpus: str
    left_out: str
    level: str
    predicted: dict[str, FloatArray]
    target: FloatArray
    clusters: NDArray[np.generic]
    raters: NDArray[np.generic] | None = None
    systems: NDArray[np.generic] | None = None
    one_rater: float = float("nan")

    def measure(self, model: str = "head") -> Estimate:
        """Spearman's correlation; of pairs the share with the right sign."""
        values = self.predicted[model]
        if self.level == "pair":
            return share((np.sign(values) == self.target).astype(float), clusters=self.clusters)
        return spearman(values, self.target, clusters=self.clusters)

    @property
    def what(self) -> str:
        """What was held out, in words."""
        return self.corpus if self.left_out == "corpus" else f"{self.left_out} of {self.corpus}"

    @property
    def above_chance(self) -> bool:
        """Whether the interval of the head's figure lies above chance."""
        return self.measure().interval[0] > (0.5 if self.level == "pair" else 0.0)

    def within(self, groups: NDArray[np.generic] | None) -> Estimate | None:
        """The correlation after the mean of each rater or system is taken out of both."""
        if groups is None:
            return None
        parts = [without_means(part, groups) for part in (self.predicted["head"], self.target)]
        return spearman(*parts, clusters=self.clusters)

    def of_systems(self) -> str:
        """The correlation of the means of three systems or more, and how many they are."""
        if self.systems is None or len(set(self.systems.tolist())) < 3:
            return ""
        both = np.stack([self.predicted["head"], self.target], axis=1)
        first = np.unique(self.systems, return_index=True)[1]
        means = group_means(both, self.systems)[first]
        return f"{spearman(*means.T).estimate:.2f} of {len(means)}"

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


def without_means(values: FloatArray, groups: NDArray[np.generic]) -> FloatArray:
    """Values (N,) less the mean of their group."""
    return np.asarray(values - group_means(values[:, None], groups)[:, 0])
