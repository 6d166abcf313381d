"""The state of a training between two epochs, in memory and in a folder.

The folder is an artefact like any other: a manifest, and arrays in one file named after its
content. It is replaced in one step, so that a run that is killed leaves the last whole state.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from assize.base.artefacts import Kind, open_artefact, save
from assize.base.errors import ConfigError, DataError
from assize.base.record_parts import FIGURES, to_parts
from assize.evaluator._features.surface import FloatArray
from assize.evaluator._training.perceptrons import Floats, Shape, views

TRAINING = Kind(
    "training",
    manifest="training.json",
    arrays="state",
    version=2,
    remedy="empty the folder, and train from the start",
)


@dataclass(slots=True, eq=False)
class State:
    """All that going on needs. Letters: M members, N pairs, J judges, K questions, P parameters."""

    flat: Floats  # (P,) parameters of the network
    logits: FloatArray  # (2, J, M K) of the reliabilities
    moments: Floats  # (P,) AdamW's, of `flat`
    squares: Floats
    rest_moments: FloatArray  # AdamW's, of logits
    rest_squares: FloatArray
    best_flat: Floats  # (P,) each member as it was when its held-out votes were likeliest,
    best_logits: FloatArray  # (2, J, M K),
    best_value: Annotated[FloatArray, FIGURES]  # (M,) what those cost, in nats,
    best_epoch: NDArray[np.int64]  # (M,) and after how many epochs
    held_out: FloatArray  # (N, K) differences by the member that holds a pair out
    # by epoch, nats of training and of held-out votes
    history: Annotated[list[tuple[float, float]], FIGURES]
    epoch: int = 0
    step: int = 0

    def __post_init__(self) -> None:
        weights = (self.flat, self.moments, self.squares, self.best_flat)
        reliabilities = (self.rest_moments, self.rest_squares)
        if (
            len({part.shape for part in weights}) > 1
            or any(part.shape != (self.logits.size,) for part in reliabilities)
            or self.best_logits.shape != self.logits.shape
            or self.best_value.shape != self.best_epoch.shape
        ):
            raise DataError("the arrays of a state do not fit each other")

    @classmethod
    def of(
        cls,
        flat: Floats,
        logits: FloatArray,
        members: int,
        pairs: tuple[int, int],
    ) -> State:
        """Before the first step, for pairs (N, K)."""
        rest = np.zeros(logits.size)
        return cls(
            flat,
            logits,
            np.zeros_like(flat),
            np.zeros_like(flat),
            rest,
            rest.copy(),
            flat.copy(),
            logits.copy(),
            np.full(members, np.inf),
            np.zeros(members, np.int64),
            np.zeros(pairs),
            [],
        )

    def keep(self, shape: Shape, member: int, value: float) -> None:
        """Notes a member as the best so far."""
        now, best = views(shape, self.flat), views(shape, self.best_flat)
        for name, part in now.items():
            best[name][member] = part[member]
        own = slice(member * shape.outputs, (member + 1) * shape.outputs)
        self.best_logits[:, :, own] = self.logits[:, :, own]
        self.best_value[member] = value
        self.best_epoch[member] = self.epoch


def save_state(folder: Path, state: State, signature: str) -> None:
    """Writes a state, in place of an earlier one.

    Raises:
        OutputError: the folder cannot be written.
    """
    record, arrays = to_parts(state)
    save(TRAINING, folder, {"state": record}, arrays, signature)


def load_state(folder: Path, signature: str) -> State | None:
    """The state in a folder; None where there is none.

    Raises:
        ConfigError: it is of other data or settings.
        DataError: it is damaged.
    """
    if not os.path.lexists(folder / TRAINING.manifest):
        return None
    found = open_artefact(TRAINING, folder)
    if found.signature != signature:
        raise ConfigError(
            f"{folder}: this checkpoint is of other votes or settings; give the same ones to go"
            " on, or another folder to start anew"
        )
    return found.record(State, "state")
