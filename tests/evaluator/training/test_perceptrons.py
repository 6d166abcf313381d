from __future__ import annotations

import numpy as np
import pytest

from assize.evaluator._heads.network import Activation
from assize.evaluator._training.perceptrons import (
    Shape,
    backward,
    forward,
    initial,
    tower_of,
    views,
)


def started(shape: Shape, seed: int = 0) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    rngs = [np.random.default_rng([seed, one]) for one in range(shape.members)]
    flat = initial(shape, rngs)
    flat += np.random.default_rng(seed).normal(0, 0.1, flat.shape).astype(np.float32)
    return flat


@pytest.mark.parametrize("activation", ["relu", "tanh", "silu"])
@pytest.mark.parametrize("hidden", [(), (5,), (6, 4)])
@pytest.mark.parametrize("linear", [False, True])
def test_the_gradient_is_what_finite_differences_give(
    activation: Activation, hidden: tuple[int, ...], linear: bool
) -> None:
    shape = Shape(2, 3, hidden, 2, activation, linear)
    rng = np.random.default_rng(1)
    flat = started(shape).astype(np.float64)
    x, delta = rng.normal(size=(7, 3)), rng.normal(size=(2, 7, 2))
    # 64-bit numbers pass through the same code, so that differences are exact enough
    found = backward(shape, flat, forward(shape, flat, x), delta.copy())  # type: ignore[arg-type]

    def loss(at: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        return float((forward(shape, at, x).outputs * delta).sum())  # type: ignore[arg-type]

    for place in rng.choice(shape.parameters, 12, replace=False):
        step = np.zeros_like(flat)
        step[place] = 1e-6
        slope = (loss(flat + step) - loss(flat - step)) / 2e-6
        assert found[place] == pytest.approx(slope, rel=1e-4, abs=1e-6)


def test_a_tower_gives_the_same_outputs() -> None:
    shape = Shape(3, 4, (5,), 2, "silu", linear=True)
    flat = started(shape)
    x = np.random.default_rng(2).normal(size=(6, 4)).astype(np.float32)
    tower = tower_of(shape, flat)
    np.testing.assert_allclose(
        tower(x.astype(float), "silu"), forward(shape, flat, x).outputs, rtol=1e-4, atol=1e-5
    )


def test_biases_are_last_so_that_weights_decay_alone() -> None:
    shape = Shape(1, 2, (3,), 1, "relu", linear=True)
    flat = np.zeros(shape.parameters, np.float32)
    flat[shape.decayed :] = 1
    parts = views(shape, flat)
    assert all(one.all() == name.startswith("bias") for name, one in parts.items())
    assert shape.parameters == 2 * 3 + 3 * 1 + 2 * 1 + 3 + 1


def test_members_start_apart() -> None:
    shape = Shape(2, 4, (8,), 1, "relu", linear=False)
    first, second = views(shape, initial(shape, [np.random.default_rng(n) for n in (0, 1)]))[
        "weight.0"
    ]
    assert not np.allclose(first, second)
