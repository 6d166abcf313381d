"""What criteria make of conversations they were not chosen on. Source: RUBICON, section 4.2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from assize.criteria._selection.pool import Mask
from assize.criteria._selection.window import Wanted, Window, Yielded, window, yield_rate
from assize.stats._arrays import FloatArray, IntArray

_NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Unseen:
    """Scores of test conversations, and what was learnt on training ones.

    Args:
        sat: (N,) sum of what SAT criteria say; NaN where one is unscored.
        dsat: (N,) sum of what DSAT criteria say, not negated.
        good: (N,) labels.
        threshold: of NetSAT, above which a conversation is good.
        learnt: the window of the training conversations.
        wanted: how surely labels must be right.
    """

    sat: FloatArray
    dsat: FloatArray
    good: Mask
    threshold: float
    learnt: Window
    wanted: Wanted

    @property
    def nets(self) -> FloatArray:
        """NetSAT (N,); NaN where a criterion is unscored."""
        found: FloatArray = self.sat - self.dsat
        return found

    @property
    def unscored(self) -> int:
        """Conversations without a NetSAT."""
        return int(np.isnan(self.nets).sum())

    def rows(self, kept: IntArray) -> Unseen:
        """Some of the conversations, each as often as it is named."""
        return replace(self, sat=self.sat[kept], dsat=self.dsat[kept], good=self.good[kept])


def delta(one: Unseen) -> float:
    """Mean NetSAT of good conversations less that of bad ones."""
    nets, known = one.nets, ~np.isnan(one.nets)
    good, bad = nets[known & one.good], nets[known & ~one.good]
    return float(good.mean() - bad.mean()) if good.size and bad.size else _NAN


def yield_test(one: Unseen) -> float:
    """Share labelled by a window found on these conversations, as published."""
    nets = one.nets
    if np.isnan(nets).all():
        return 0.0
    own = window(nets, one.good, one.threshold, one.wanted.observed)
    return yield_rate(own, nets, one.good).share


def yield_train(one: Unseen) -> float:
    """Share labelled by the window of the training conversations."""
    return _learnt(one).share


def precision_train(one: Unseen) -> float:
    """How often a label by the window of the training conversations is right."""
    return _learnt(one).precision


def accuracy(one: Unseen) -> float:
    """Share whose label the threshold gives rightly."""
    said, good = _said(one)
    return float((said == good).mean()) if good.size else _NAN


def precision(one: Unseen) -> float:
    """Share truly good of those above the threshold."""
    said, good = _said(one)
    return float(good[said].mean()) if said.any() else _NAN


def recall(one: Unseen) -> float:
    """Share above the threshold of those truly good."""
    said, good = _said(one)
    return float(said[good].mean()) if good.any() else _NAN


def f1(one: Unseen) -> float:
    """Harmonic mean of precision and recall, 0 where nothing is found rightly."""
    said, good = _said(one)
    named = int(said.sum() + good.sum())
    return float(2 * (said & good).sum() / named) if named else _NAN


def correlation(one: Unseen) -> float:
    """Pearson's r of the sums of SAT and of DSAT criteria, the latter not negated."""
    known = ~np.isnan(one.nets)
    sat, dsat = one.sat[known], one.dsat[known]
    if known.sum() < 3 or np.ptp(sat) == 0 or np.ptp(dsat) == 0:
        return _NAN
    return float(np.corrcoef(sat, dsat)[0, 1])


def _learnt(one: Unseen) -> Yielded:
    return yield_rate(one.learnt, one.nets, one.good)


def _said(one: Unseen) -> tuple[Mask, Mask]:
    """Of conversations that are scored: which the threshold calls good, and which are."""
    nets, known = one.nets, ~np.isnan(one.nets)
    return nets[known] > one.threshold, one.good[known]


Measure = Callable[[Unseen], float]

MEASURES: Mapping[str, Measure] = {
    "delta_netsat": delta,
    "yield_test": yield_test,
    "accuracy": accuracy,
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "yield_train": yield_train,
    "precision_train": precision_train,
    "correlation": correlation,
}
"""Those of the paper's tables first, in their order."""


def measured(one: Unseen) -> FloatArray:
    """Every measure, in the order of `MEASURES`; NaN where there is none."""
    return np.array([measure(one) for measure in MEASURES.values()])
