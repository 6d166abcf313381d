"""MTDEval's own learner: a network and the judges' reliabilities, trained together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._study.learners import Learner, with_ties
from assize.evaluator._study.linear_head import Head
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.networks import gains, learn_networks
from assize.evaluator._training.settings import Settings, settings_of
from assize.stats._arrays import FloatArray, IntArray

QUESTION = "Overall"


def network_learner(settings: Settings | None = None) -> Learner:
    """The network as one more learner of a study; its seed is the study's."""

    def learn(data: VotedPairs, rows: IntArray, seed: int) -> Head:
        chosen = replace(settings_of() if settings is None else settings, seed=seed)
        return with_ties(lambda some, places: network(some, places, chosen))(data, rows, seed)

    return learn


def network(data: VotedPairs, rows: IntArray, settings: Settings | None = None) -> Head:
    """What `assize evaluator train --votes` learns from some pairs, on one question.

    Args:
        settings: the preset `small` when None.

    Raises:
        DataError: no vote is for a side, or there are too few independent pairs to hold some out.
    """
    chosen = settings_of() if settings is None else settings
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
    gain = gains(TurnFeatures().widths(data.dimension), chosen)
    head = learn_networks(lessons, gain, chosen).head

    def differences(others: VotedPairs, held: IntArray) -> FloatArray:
        return np.asarray((head.raw(others.a[held]) - head.raw(others.b[held]))[:, 0])

    return differences
