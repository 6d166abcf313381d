"""Networks and reliabilities learnt together, the right way round: the steps that every training
from votes goes through.

Letters: D dialogues, F features, N pairs, J judges, K questions, M members.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assize.base.torch_extra import one_thread
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.network import Network, Tower
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.lessons import IntArray, Lessons
from assize.evaluator._training.settings import Settings
from assize.evaluator._training.signs import StartingPoint, begin_from_votes, turned_round
from assize.judging.aspects import OVERALL
from assize.stats._arrays import FloatArray

if TYPE_CHECKING:
    from assize.evaluator._training.train_network import Progress, Trained

_WIDE = 64  # features: a block with more holds vectors of an encoder


@dataclass(frozen=True, slots=True, eq=False)
class LearntNetworks:
    """What training leaves, the right way round.

    Args:
        head: with spreads of 1: its numbers are in units of sigma.
        reliabilities: (J, K) as they came out.
        difference: (N, K) of pairs not learnt from, in units of sigma.
        fold: (D,) the member that did not learn from a dialogue; of no member where it is M or
            more, or below 0.
        parts: a tower each, as trained.
        notes: what the votes say before any network.
    """

    head: Network
    reliabilities: Reliabilities
    difference: FloatArray
    fold: IntArray
    parts: Sequence[Trained]
    notes: tuple[str, ...]


def learn_networks(
    lessons: Lessons,
    gain: FloatArray,
    settings: Settings,
    *,
    gold: Collection[str] = (),
    trusted: Collection[str] = (),
    checkpoints: str | Path | None = None,
    progress: Progress = lambda line: None,
) -> LearntNetworks:
    """Begins where the votes alone lead, and trains a tower after the other.

    Args:
        gain: (F,) what standardised features are multiplied by, see `gains`.
        gold, trusted: judges who say which way is up, see `begin_from_votes`.
        checkpoints: folder from which an interrupted training goes on.
        progress: is told a line an epoch.

    Raises:
        ConfigError: a checkpoint is of other lessons or settings.
        DataError: there are too few independent pairs to hold some out.
    """
    scaling = lessons.scaling()
    x = (scaling(lessons.rows) * gain).astype(np.float32)
    first = begin_from_votes(lessons, gold, trusted, tied=settings.tied, seed=settings.seed)
    parts = []
    with one_thread():
        from assize.evaluator._training.train_network import train_network

        for number, places in enumerate(towers_of(lessons.questions, apart=settings.apart)):
            part = train_network(
                lessons.of_questions(places),
                x,
                settings,
                start=Reliabilities(first.begin.alpha[:, places], first.begin.beta[:, places]),
                gold=gold,
                folder=None if checkpoints is None else Path(checkpoints) / f"tower-{number}",
                progress=progress,
            )
            parts.append(part)
    return orient(parts, lessons, settings, first, scaling, gain)


def orient(
    parts: Sequence[Trained],
    lessons: Lessons,
    settings: Settings,
    first: StartingPoint,
    scaling: Scaling,
    gain: FloatArray,
) -> LearntNetworks:
    """Put towers together, with questions that ended upside down turned round."""
    found = [part.reliabilities for part in parts]
    reliabilities = Reliabilities(
        np.hstack([part.alpha for part in found]), np.hstack([part.beta for part in found])
    )
    flip = turned_round(lessons, first.begin, reliabilities)
    sign = np.where(flip, -1.0, 1.0)
    towers, start = [], 0
    for part in parts:
        tower = part.tower
        own = sign[start : start + tower.outputs]
        start += tower.outputs
        weights = (*tower.weights[:-1], tower.weights[-1] * own)
        biases = (*tower.biases[:-1], tower.biases[-1] * own)
        towers.append(Tower(weights, biases, None if tower.linear is None else tower.linear * own))
    spread = np.ones(len(lessons.questions))
    head = Network(lessons.questions, scaling, gain, tuple(towers), spread, settings.activation)
    difference = sign * np.hstack([part.held_out for part in parts])
    flipped = reliabilities.flipped(flip)
    return LearntNetworks(head, flipped, difference, parts[0].fold, parts, first.notes)


def towers_of(questions: Sequence[str], *, apart: bool) -> list[NDArray[np.intp]]:
    """The questions of each network: all in one, or `Overall` by itself and then the rest."""
    every = np.arange(len(questions))
    if not apart or OVERALL not in questions or len(questions) == 1:
        return [every]
    overall = np.array([one == OVERALL for one in questions])
    return [every[overall], every[~overall]]


def gains(widths: Mapping[str, int], settings: Settings) -> FloatArray:
    """(F,) what standardised features are multiplied by: blocks of vectors, shape, the rest.

    Args:
        widths: features of each block, in order, as a featuriser has them.
    """
    given, several = {"shape": settings.shape}, len(widths) > 1
    parts = [
        np.full(size, given.get(name, settings.embeddings if size > _WIDE and several else 1.0))
        for name, size in widths.items()
    ]
    return np.concatenate(parts)
