"""How sure a score is: members of an ensemble, distance from the training data, whom to ask.

Letters: N views, F features, H questions, M members.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from assize.evaluator._features.featuriser import Features
from assize.evaluator._heads.head import Head
from assize.evaluator._heads.linear import Scaling
from assize.stats._arrays import FloatArray
from assize.stats._ranks import midranks

FAR = 1.5
"""Distance from which a text is called unlike the training data, whose own is about 1."""


def member_numbers(head: Head, rows: Sequence[Features] | FloatArray) -> FloatArray | None:
    """Raw numbers (M, N, H) of a head's members; None of a head that has none."""
    members = getattr(head, "members", None)
    numbers: FloatArray | None = None if members is None else members(rows)
    return numbers if numbers is not None and len(numbers) > 1 else None


def distances(
    head: Head, rows: Sequence[Features] | FloatArray, parts: Sequence[int]
) -> FloatArray:
    """How unlike the training data each view is (N,): about 1 for data like it, NaN where the
    head does not say how its features are standardised.

    The root of the mean squared standardised feature, each block of features counted alike.

    Args:
        parts: widths of the blocks.

    Source: Mahalanobis' distance. Differs: features are taken as uncorrelated within their
    blocks, because a covariance of 1,559 features is not kept; each is cut at five deviations.
    """
    scaling = getattr(head, "scaling", None)
    if not isinstance(scaling, Scaling):
        return np.full(len(rows), np.nan)
    standard = scaling(np.asarray(rows, np.float64).reshape(-1, len(scaling.center)))
    ends = np.cumsum([0, *parts])
    squares = [np.mean(standard[:, a:b] ** 2, axis=1) for a, b in pairwise(ends)]
    return np.asarray(np.sqrt(np.mean(squares, axis=0)))


def urgency(doubt: FloatArray, distance: FloatArray, near: FloatArray) -> FloatArray:
    """Whom to ask first (N,), in [0, 1]: the mean rank of three reasons; larger is more urgent.

    Args:
        doubt: (N,) standard deviation of the members' scores; NaN where there are none.
        distance: (N,) as `distances` gives it.
        near: (N,) distance of the score from the nearest decision level; the closer the more.

    A reason that no item has is passed over; an item without it has the middle rank.
    """
    ranks = []
    for values in (doubt, distance, -near):
        known = np.isfinite(values)
        if known.sum() > 1 and np.ptp(values[known]) > 0:
            rank = np.full(len(values), 0.5)
            rank[known] = (midranks(values[known]) - 0.5) / known.sum()
            ranks.append(rank)
    return np.mean(ranks, axis=0) if ranks else np.full(len(doubt), 0.5)


def how_many(ask: float, items: int) -> int:
    """How many conversations are to be rated: a share of all below 1, else a number.

    >>> how_many(0.05, 210), how_many(20, 210), how_many(20, 7)
    (11, 20, 7)
    """
    wanted = int(np.ceil(round(ask * items, 9))) if ask < 1 else int(ask)
    return min(items, wanted)
