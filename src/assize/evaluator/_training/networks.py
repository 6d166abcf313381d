"""Networks and reliabilities learnt together, the right way round: the steps that every training
from votes goes through.

Letters: D dialogues, F features, N pairs, J judges, K questions, M members.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assize.base.torch_extra import one_thread
from assize.evaluator._features.surface import FloatArray
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.network import Network, Tower
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.lessons import IntArray, Lessons
from assize.evaluator._training.settings import Settings
from assize.evaluator._training.signs import begin_from_votes, turned_round
from assize.judging.aspects import OVERALL

if TYPE_CHECKING:
    from assize.evaluator._training.train_network import Progress, Trained

_WIDE = 64  # features: a block with more holds vectors of an encoder


@dataclass(frozen=True, eq=False)
class LearntNetworks:
    """What training leaves; everything but `parts` is the right way round.

    Args:
        lessons, settings: what was learnt from, and how.
        parts: a tower each, as trained.
        begin: (J, K) where the reliabilities began.
        notes: what the votes say before any network.
    """

    lessons: Lessons
    settings: Settings
    parts: Sequence[Trained]
    begin: Reliabilities
    notes: tuple[str, ...]
    scaling: Scaling
    gain: FloatArray

    @cached_property
    def _turned(self) -> NDArray[np.bool_]:
        """(K,) questions that ended on the other side than where the votes put them."""
        return turned_round(self.lessons, self.begin, self._as_trained)

    @property
    def _as_trained(self) -> Reliabilities:
        found = [part.reliabilities for part in self.parts]
        return Reliabilities(
            np.hstack([one.alpha for one in found]), np.hstack([one.beta for one in found])
        )

    @property
    def reliabilities(self) -> Reliabilities:
        """(J, K) as they came out."""
        return self._as_trained.flipped(self._turned)

    @property
    def difference(self) -> FloatArray:
        """(N, K) of pairs not learnt from, in units of sigma."""
        found = np.hstack([part.held_out for part in self.parts])
        return np.asarray(np.where(self._turned, -1, 1) * found)

    @property
    def fold(self) -> IntArray:
        """(D,) the member that did not learn from a dialogue; of no member where it is M or
        more, or below 0."""
        return self.parts[0].fold

    @cached_property
    def head(self) -> Network:
        """With spreads of 1: its numbers are in units of sigma."""
        return Network(
            self.lessons.questions,
            self.scaling,
            self.gain,
            _turned([part.tower for part in self.parts], self._turned),
            np.ones(len(self.lessons.questions)),
            self.settings.activation,
        )


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
    return LearntNetworks(lessons, settings, parts, first.begin, first.notes, scaling, gain)


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


def _turned(towers: Sequence[Tower], flip: NDArray[np.bool_]) -> tuple[Tower, ...]:
    """The towers with the outputs of some questions negated."""
    found, start = [], 0
    for tower in towers:
        sign = np.where(flip[start : start + tower.outputs], -1.0, 1.0)
        start += tower.outputs
        found.append(
            Tower(
                (*tower.weights[:-1], tower.weights[-1] * sign),
                (*tower.biases[:-1], tower.biases[-1] * sign),
                None if tower.linear is None else tower.linear * sign,
            )
        )
    return tuple(found)
