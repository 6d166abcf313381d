"""Pairs whose better side follows from the features, and judges who are planted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._study.linear_head import Head
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._reliability import Votes

DIMENSION = 2
WIDTH = sum(TurnFeatures().widths(DIMENSION).values())
GOOD = {"good": 0.9, "fair": 0.75, "weak": 0.62}


def planted(
    judges: Mapping[str, float] = GOOD, n: int = 240, seed: int = 0, ties: float = 0.0
) -> VotedPairs:
    """Pairs, their qualities linear in the features, and votes that are right as often as said.

    Args:
        ties: share of the pairs whose sides are alike: gold is a tie, and judges say so as often
            as they are right.
    """
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=WIDTH)
    a, b = (rng.normal(size=(n, WIDTH)) for _ in range(2))
    same = rng.random(n) < ties
    b[same] = a[same] + 0.01 * rng.normal(size=(int(same.sum()), WIDTH))
    truth = np.where(same, 0.0, np.sign((a - b) @ weights))
    said = np.stack([_said(truth, right, rng) for right in judges.values()], axis=1)
    return VotedPairs(
        tuple(f"p{at}" for at in range(n)),
        a,
        b,
        tuple(judges),
        Votes.from_signs(said),
        truth,
        np.arange(n),
        DIMENSION,
    )


def _said(truth: FloatArray, right: float, rng: np.random.Generator) -> FloatArray:
    sides = rng.choice([1.0, -1.0], len(truth))
    wrong = np.where(truth == 0, sides, -truth)
    return np.where(rng.random(len(truth)) < right, truth, wrong)


def without_sides(data: VotedPairs) -> VotedPairs:
    """The same pairs, every vote a tie."""
    nothing = np.zeros_like(data.votes.for_a)
    return replace(data, votes=Votes(nothing, nothing, nothing + 1))


def held_out_accuracy(data: VotedPairs, fit: Callable[[VotedPairs, IntArray], Head]) -> float:
    """How often a head that learnt from the first half is right on the second."""
    fitted, held = halves(data)
    return accuracy(data, held, fit(data, fitted)(data, held))


def halves(data: VotedPairs) -> tuple[IntArray, IntArray]:
    """The first and the second half of the pairs."""
    places = np.arange(len(data))
    return places[: len(data) // 2], places[len(data) // 2 :]


def accuracy(data: VotedPairs, rows: IntArray, differences: FloatArray) -> float:
    """How often the sign is gold's, where gold is decided."""
    truth = data.truth[rows]
    decided = truth != 0
    return float((np.sign(differences) == truth)[decided].mean())
