"""Learners: from the votes on some pairs to what says which side of another pair is better.

A learner fits the method protocol of `assize.stats._studies`: `fit(data, rows, seed)` returns
`predict(data, rows)`. What it predicts is a difference in units of the tie threshold: below 1 in
size a pair is a tie, and the sign says which side leads. To add a learner, give `LEARNERS` a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._study.crowd_layer import crowd_layer
from assize.evaluator._study.joint_head import joint
from assize.evaluator._study.linear_head import Head, design
from assize.evaluator._study.targets import TARGETS, Targets
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies import dealt

Fit = Callable[[VotedPairs, IntArray], Head]
"""`fit(data, rows)`: a head from the votes on these pairs."""

Learner = Callable[[VotedPairs, IntArray, int], Head]
"""`fit(data, rows, seed)`: a head in units of the tie threshold."""

_APART = 4  # one part in so many of the pairs decides the threshold
_CANDIDATES = 50


def from_targets(targets: Targets) -> Fit:
    """A ridge on targets made of the votes; pairs without one are passed over."""

    def fit(data: VotedPairs, rows: IntArray) -> Head:
        given = targets(data, rows)
        known = ~np.isnan(given)
        if not known.any():
            raise DataError("these judges have no vote on the pairs that are to be learnt from")
        return design(data, rows[known]).of_targets(given[known])

    return fit


def gold_labels(data: VotedPairs, rows: IntArray) -> FloatArray:
    """The gold itself: what there is to be reached with these features."""
    return data.truth[rows]


FITS: Mapping[str, Fit] = {
    **{name: from_targets(targets) for name, targets in TARGETS.items()},
    "CrowdLayer MW": partial(crowd_layer, variant="MW"),
    "CrowdLayer VW": partial(crowd_layer, variant="VW"),
    "CrowdLayer VW-B": partial(crowd_layer, variant="VW-B"),
    "joint": joint,
}
"""Ways to learn from several judges' votes; all have the same head."""


def with_ties(fit: Fit, judges: tuple[str, ...] | None = None) -> Learner:
    """The learner of a fit: its tie threshold is learnt on a quarter of the pairs it is given.

    Args:
        judges: whose votes are learnt from; all when None.

    The threshold is that at which a head learnt from the other three quarters agrees most often
    with the same judges' votes, one by one, of several the least; then the head is learnt from all.
    Votes one by one, because two judges who contradict each other do not say that it is a tie.

    Source: MTDEval, appendix H (0.01, learnt on validation).
    """

    def learn(data: VotedPairs, rows: IntArray, seed: int) -> Head:
        mine = data if judges is None else data.by(judges)
        threshold = _threshold(fit, mine, rows, seed)
        head = fit(mine, rows)
        return lambda others, held: head(others, held) / threshold

    return learn


def _threshold(fit: Fit, data: VotedPairs, rows: IntArray, seed: int) -> float:
    told = data.counts[rows]
    if not told[:, 1].any() or len(set(data.groups[rows].tolist())) < _APART:
        return 1e-9
    fold = dealt(data.groups[rows].tolist(), _APART, np.random.default_rng([seed, 7]))
    apart = (fold == 0) & (told.sum(axis=1) > 0)
    try:
        head = fit(data, rows[fold != 0])
    except DataError:
        return 1e-9
    return threshold_of(head(data, rows[apart]), told[apart])


def threshold_of(differences: FloatArray, votes: FloatArray) -> float:
    """The size below which calling a pair a tie agrees best with votes (n, 3) for A, tie and B.

    >>> votes = np.array([[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    >>> threshold_of(np.array([0.1, -0.2, 2.0, -3.0]), votes) > 0.2
    True
    """
    size = np.abs(differences)
    if len(size) == 0:
        return 1e-9
    steps = np.quantile(size, np.linspace(0, 1, _CANDIDATES))
    tried = np.unique(np.concatenate([[0.0], (steps[:-1] + steps[1:]) / 2, [steps[-1] * 1.01]]))
    said = np.where(size < tried[:, None], 0.0, np.sign(differences))  # (tried, n)
    right = np.stack([(said == side) @ votes[:, at] for at, side in enumerate((1.0, 0.0, -1.0))])
    right = right.sum(axis=0)
    return max(float(tried[int(right.argmax())]), 1e-9)
