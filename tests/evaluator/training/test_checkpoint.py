"""What is kept of a training, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from assize.base.errors import ConfigError, DataError
from assize.evaluator._training.checkpoint import load_checkpoint, save_checkpoint

STATE = {"weights": torch.arange(6.0), "loss": torch.tensor([torch.inf, 0.25])}


def test_what_is_written_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    assert load_checkpoint(tmp_path, "abc") is None
    save_checkpoint(tmp_path, "abc", STATE, [(1 / 3, float("nan")), (0.25, 0.5)])
    kept: Any = load_checkpoint(tmp_path, "abc")
    tensors, history = kept
    assert all(torch.equal(tensors[name], STATE[name]) for name in STATE)
    assert history[1] == (0.25, 0.5)
    with pytest.raises(ConfigError, match="of other votes or settings; give the same ones"):
        load_checkpoint(tmp_path, "abd")


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, "abc", STATE, [])
    (file,) = tmp_path.glob("state-*")
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(DataError, match="empty the folder, and train from the start"):
        load_checkpoint(tmp_path, "abc")
