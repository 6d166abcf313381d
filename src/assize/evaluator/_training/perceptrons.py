"""Perceptrons of one shape side by side: their parameters in one vector, forward and backward.

All parameters lie in one flat array, so that an optimiser's step is a handful of operations on
vectors whatever the shape. Matrix products are BLAS's, in 32-bit numbers.

Letters: M members, B rows of a batch, F features, K outputs, P parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._heads.network import ACTIVATIONS, Activation, Tower

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shape:
    """M perceptrons from F features to K outputs."""

    members: int
    features: int
    hidden: tuple[int, ...]
    outputs: int
    activation: Activation
    linear: bool  # whether a linear part runs past the hidden layers

    @property
    def parts(self) -> dict[str, tuple[int, ...]]:
        """By name, the shape of each array of parameters; biases last."""
        sizes = list(pairwise((self.features, *self.hidden, self.outputs)))
        m = self.members
        found: dict[str, tuple[int, ...]] = {
            f"weight.{place}": (m, *size) for place, size in enumerate(sizes)
        }
        if self.linear:
            found["linear"] = (m, self.features, self.outputs)
        return found | {f"bias.{place}": (m, size[1]) for place, size in enumerate(sizes)}

    @property
    def parameters(self) -> int:
        """P."""
        return sum(prod(shape) for shape in self.parts.values())

    @property
    def decayed(self) -> int:
        """How many of the parameters, from the first, are weights and no biases."""
        return sum(prod(one) for name, one in self.parts.items() if not name.startswith("bias"))


def views(shape: Shape, flat: Floats) -> dict[str, Floats]:
    """The arrays of parameters, each a view of the flat one (P,)."""
    found, start = {}, 0
    for name, one in shape.parts.items():
        found[name] = flat[start : start + prod(one)].reshape(one)
        start += prod(one)
    return found


def initial(shape: Shape, rngs: Sequence[np.random.Generator]) -> Floats:
    """Parameters to start from (P,), one generator a member: hidden weights with variance 2 / I,
    and none yet from the last layer to the outputs, so that all dialogues begin alike.

    A model without hidden layers, and the linear part, start at 0.
    """
    flat = np.zeros(shape.parameters, np.float32)
    parts = views(shape, flat)
    for place, inputs in enumerate((shape.features, *shape.hidden[:-1])[: len(shape.hidden)]):
        weight = parts[f"weight.{place}"]
        for member, rng in enumerate(rngs):
            weight[member] = rng.normal(0, np.sqrt(2 / inputs), weight[member].shape)
    if shape.hidden:
        last = parts[f"weight.{len(shape.hidden)}"]
        for member, rng in enumerate(rngs):
            last[member] = rng.normal(0, 0.1 / np.sqrt(shape.hidden[-1]), last[member].shape)
    return flat


@dataclass(frozen=True, slots=True)
class Passed:
    """What a forward pass leaves for the backward one."""

    outputs: Floats  # (M, B, K)
    inputs: tuple[Floats, ...]  # of each layer: (B, F), then (M, B, units)
    sums: tuple[Floats, ...]  # of each hidden layer before its activation, (M, B, units)


def forward(shape: Shape, flat: Floats, x: Floats) -> Passed:
    """Outputs of rows (B, F) by every member."""
    parts = views(shape, flat)
    act = ACTIVATIONS[shape.activation]
    inputs, sums = [x], []
    for place in range(len(shape.hidden)):
        total = inputs[-1] @ parts[f"weight.{place}"]
        total += parts[f"bias.{place}"][:, None]
        sums.append(total)
        inputs.append(act(total))
    last = len(shape.hidden)
    outputs = inputs[-1] @ parts[f"weight.{last}"]
    outputs += parts[f"bias.{last}"][:, None]
    if shape.linear:
        outputs += x @ parts["linear"]
    return Passed(outputs, tuple(inputs), tuple(sums))


def backward(shape: Shape, flat: Floats, passed: Passed, delta: Floats) -> Floats:
    """Gradient (P,) of a loss whose derivative by the outputs is `delta` (M, B, K)."""
    parts = views(shape, flat)
    found = np.empty_like(flat)
    into = views(shape, found)
    x = passed.inputs[0]
    if shape.linear:
        np.matmul(x.T, delta, out=into["linear"])
    for place in reversed(range(len(shape.hidden) + 1)):
        given = passed.inputs[place]
        np.matmul(given.swapaxes(-1, -2), delta, out=into[f"weight.{place}"])
        delta.sum(axis=1, out=into[f"bias.{place}"])
        if place:
            delta = delta @ parts[f"weight.{place}"].swapaxes(-1, -2)
            delta *= SLOPES[shape.activation](passed.sums[place - 1], given)
    return found


def _silu_slope(total: Floats, active: Floats) -> Floats:
    gate = 1 / (1 + np.exp(-np.clip(total, -60, 60)))
    return np.asarray(gate + active * (1 - gate))


SLOPES: Mapping[Activation, Callable[[Floats, Floats], Floats]] = {
    "relu": lambda total, active: (total > 0).astype(np.float32),
    "tanh": lambda total, active: 1 - active * active,
    "silu": _silu_slope,
}
"""Derivatives of the activations, by what goes in and what comes out."""


def tower_of(shape: Shape, flat: Floats) -> Tower:
    """The parameters as a head keeps them."""
    parts = {name: one.astype(np.float64) for name, one in views(shape, flat).items()}
    layers = range(len(shape.hidden) + 1)
    return Tower(
        tuple(parts[f"weight.{place}"] for place in layers),
        tuple(parts[f"bias.{place}"] for place in layers),
        parts.get("linear"),
    )
