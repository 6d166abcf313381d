from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assize.base.errors import ConfigError, DataError
from assize.evaluator._training.checkpoint import State, load_state, save_state
from assize.evaluator._training.perceptrons import Shape


def state() -> State:
    flat = np.arange(8, dtype=np.float32)
    found = State.of(flat, np.ones((2, 3, 2)), 2, (4, 1))
    found.epoch, found.step = 3, 40
    found.history.append((0.5, float("nan")))
    return found


def test_what_is_written_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    one = state()
    one.held_out += np.pi
    one.history[0] = (1 / 3, 0.25)
    save_state(tmp_path, one, "abc")
    again = load_state(tmp_path, "abc")
    assert again is not None
    assert (again.epoch, again.step, again.history) == (3, 40, one.history)
    np.testing.assert_array_equal(again.held_out, one.held_out)
    assert again.flat.dtype == np.float32
    again.flat += 1  # it can be gone on with


def test_nothing_there_is_no_state_and_another_setup_is_refused(tmp_path: Path) -> None:
    assert load_state(tmp_path, "abc") is None
    save_state(tmp_path, state(), "abc")
    with pytest.raises(ConfigError, match="of other votes or settings; give the same ones"):
        load_state(tmp_path, "abd")


def test_a_damaged_state_is_said(tmp_path: Path) -> None:
    save_state(tmp_path, state(), "abc")
    (file,) = tmp_path.glob("state-*")
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(DataError, match="empty the folder, and train from the start"):
        load_state(tmp_path, "abc")


def test_each_member_is_kept_where_it_was_best() -> None:
    shape = Shape(2, 3, (), 1, "relu", linear=False)
    one = State.of(np.zeros(8, np.float32), np.zeros((2, 3, 2)), 2, (4, 1))
    one.flat += 1
    one.logits += 2
    one.epoch = 5
    one.keep(shape, 1, 0.25)
    assert one.best_flat.tolist() == [0, 0, 0, 1, 1, 1, 0, 1]
    assert one.best_logits[0, 0].tolist() == [0, 2]
    assert (one.best_value.tolist(), one.best_epoch.tolist()) == ([np.inf, 0.25], [0, 5])
