"""The state of a training between two epochs, kept in a folder.

The folder is an artefact like any other: a manifest, and arrays in one safetensors file. It is
replaced in one step, so a run that is killed leaves the last whole state. Nothing is pickled.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from assize.base.artefacts import Kind, open_artefact, save
from assize.base.errors import ConfigError

TRAINING = Kind(
    "training",
    manifest="training.json",
    arrays="state",
    version=3,
    remedy="empty the folder, and train from the start",
)
Losses = list[tuple[float, float]]
"""By epoch, of the training pairs and of those held out."""


def save_checkpoint(
    folder: Path, signature: str, tensors: Mapping[str, Tensor], history: Losses
) -> None:
    """Write the state, in place of an earlier one.

    Raises:
        OutputError: the folder cannot be written.
    """
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    losses = np.array(history).reshape(-1, 2)
    facts = {"epochs": len(history)}
    save(TRAINING, folder, facts, arrays | {"history": losses}, signature)


def load_checkpoint(folder: Path, signature: str) -> tuple[dict[str, Tensor], Losses] | None:
    """Return the tensors and the history that were kept; None where there are none.

    Raises:
        ConfigError: they are of other data or settings.
        DataError: they are damaged.
    """
    if not os.path.lexists(folder / TRAINING.manifest):
        return None
    checkpoint = open_artefact(TRAINING, folder)
    if checkpoint.signature != signature:
        raise ConfigError(
            f"{folder}: this checkpoint is of other votes or settings; give the same ones to go"
            " on, or another folder to start anew"
        )
    arrays = checkpoint.arrays()
    with checkpoint.understood():
        history = [(float(train), float(held_out)) for train, held_out in arrays.pop("history")]
        return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}, history
