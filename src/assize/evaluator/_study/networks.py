"""MTDEval's own learner: a network and the judges' reliabilities, trained together."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._study.learners import Learner, with_ties
from assize.evaluator._study.linear_head import Head
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.networks import gains, learn_networks
from assize.evaluator._training.settings import PRESETS, Settings
from assize.stats._arrays import FloatArray, IntArray

QUESTION = "Overall"


def network_learner(
    judges: tuple[str, ...] | None = None, settings: Settings = PRESETS["small"]
) -> Learner:
    """The network as one more learner of a study; its seed is the study's.

    Args:
        judges: see `with_ties`.
    """

    def learn(data: VotedPairs, rows: IntArray, seed: int) -> Head:
        fit = partial(network, settings=replace(settings, seed=seed))
        return with_ties(fit, judges)(data, rows, seed)

    return learn


def network(data: VotedPairs, rows: IntArray, settings: Settings) -> Head:
    """What `assize evaluator train --votes` learns from some pairs, on one question.

    Raises:
        DataError: no vote is for a side, or there are too few independent pairs to hold some out.
    """
    voted = rows[data.votes.take(rows).sided[:, 0]]
    if len(voted) == 0:
        raise DataError("no vote is for A or B; nothing can be learnt from these judges")
    n = len(voted)
    lessons = Lessons(
        np.vstack([data.a[voted], data.b[voted]]),
        np.arange(n),
        n + np.arange(n),
        data.votes.take(voted),
        (QUESTION,),
        data.judges,
        np.tile(data.groups[voted], 2),
    )
    gain = gains(TurnFeatures().widths(data.dimension), settings)
    head = learn_networks(lessons, gain, settings).head

    def differences(others: VotedPairs, held: IntArray) -> FloatArray:
        return np.asarray((head.raw(others.a[held]) - head.raw(others.b[held]))[:, 0])

    return differences
