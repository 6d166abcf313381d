"""Which way is up: the likelihood of votes cannot tell, dimension by dimension.

It stays the same when alpha, beta and f become 1 - beta, 1 - alpha and -f. Training starts where
judges are right more often than wrong, and mostly ends there. Where judges are near or below
chance on average nothing in the votes says that this was the right side, and it is said so.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.evaluator.training.given_differences import Reliabilities
from assize.evaluator.training.lessons import Lessons

UNSURE = 0.1  # mean alpha + beta - 1, weighed by votes, below which the side is not certain
SHARE = 1 / 3  # of the votes by judges who come out below chance, from which likewise


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """Questions to turn round (K,), and what a reader must know."""

    flip: NDArray[np.bool_]
    notes: tuple[str, ...]


def check_signs(
    lessons: Lessons, found: Reliabilities, trusted: Collection[str], anchored: bool
) -> Signs:
    """Compares what was learnt with the anchors, or else with the belief that judges are better
    than chance on average.

    Args:
        found: (J, K) reliabilities as learnt.
        trusted: judges whose alpha + beta must come out above 1.
        anchored: whether there are anchors of any kind; then no warning is due.
    """
    weight = (lessons.votes.for_a + lessons.votes.for_b).sum(axis=0)  # (J, K)
    known = np.isin(np.array(lessons.judges, dtype=object), list(trusted))
    flip = np.zeros(len(lessons.questions), dtype=bool)
    notes = []
    for place, name in enumerate(lessons.questions):
        total = weight[:, place].sum()
        if total == 0:
            continue
        about = found.information[:, place]
        if known.any():
            own = weight[known, place]
            flip[place] = own.sum() > 0 and (about[known] * own).sum() < 0
        mean = float((about * weight[:, place]).sum() / total)
        below = float(weight[about < 0, place].sum() / total)
        if not anchored:
            flip[place] = mean < 0
            mean = abs(mean)
            below = 1 - below if flip[place] else below
            if mean < UNSURE or below >= SHARE:
                notes.append(
                    f"{name}: the votes cannot tell which side is the better one (mean of alpha +"
                    f" beta - 1 is {mean:.2f}, {below:.0%} of the votes are by judges below"
                    " chance); all scores may be the wrong way round: give a trusted judge or at"
                    " least ten gold labels as anchor"
                )
    return Signs(flip, tuple(notes))
