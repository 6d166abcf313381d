"""The state of a training between two epochs, in memory and in a folder.

The folder is an artefact like any other: a manifest, and arrays in one file named after its
content. It is replaced in one step, so that a run that is killed leaves the last whole state.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assize.artefacts import Kind, open_artefact, save
from assize.errors import ConfigError
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.training.perceptrons import Floats, Shape, views

TRAINING = Kind(
    "training",
    manifest="training.json",
    arrays="state",
    version=1,
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
    best_value: FloatArray  # (M,) what those cost, in nats,
    best_epoch: NDArray[np.int64]  # (M,) and after how many epochs
    held_out: FloatArray  # (N, K) differences by the member that holds a pair out
    history: list[tuple[float, float]]  # by epoch, nats of training and of held-out votes
    epoch: int = 0
    step: int = 0

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
    arrays = {
        one.name: getattr(state, one.name)
        for one in fields(State)
        if one.name not in ("history", "epoch", "step")
    }
    history = np.array(state.history).reshape(-1, 2)
    facts = {"epoch": state.epoch, "step": state.step}
    save(TRAINING, folder, facts, arrays | {"history": history}, signature)


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
    arrays = found.arrays()
    with found.understood():
        history = [(float(seen), float(held)) for seen, held in arrays.pop("history")]
        counters = (int(found.facts["epoch"]), int(found.facts["step"]))
        return State(
            **{name: one.copy() for name, one in arrays.items()},
            history=history,
            epoch=counters[0],
            step=counters[1],
        )
