"""The network head: a few perceptrons on standardised features, for all questions at once.

Design: numpy alone, for a row costs half a million multiplications; members of an ensemble lie
side by side in one array a layer, so that five cost one pass; a tower is a network of its own for
some of the questions (MTDEval trains two: the dimensions, and overall); a linear part may run past
the hidden layers, because on few pairs it is what carries over.

Letters: N views, F features, M members, H questions, I inputs and O outputs of a layer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.record_parts import divides
from assize.evaluator._features.featuriser import Features
from assize.evaluator._heads.linear import Scaling
from assize.stats._arrays import FloatArray

Activation = Literal["relu", "tanh", "silu"]
AT_ONCE = 4_096  # rows whose hidden units are in memory at a time


def _silu(x: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(x / (1 + np.exp(-np.clip(x, -60, 60))))


ACTIVATIONS: Mapping[Activation, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "silu": _silu,
}


@dataclass(frozen=True, slots=True, eq=False)
class Tower:
    """M perceptrons of one shape, which answer some of the questions."""

    weights: tuple[FloatArray, ...]  # a layer each, (M, I, O)
    biases: tuple[FloatArray, ...]  # a layer each, (M, O)
    linear: FloatArray | None = None  # (M, F, O) from the features to the outputs directly

    def __post_init__(self) -> None:
        sizes = [weight.shape for weight in self.weights]
        if not sizes or any(len(size) != 3 or min(size) < 1 for size in sizes):
            raise DataError("a network has members, towers and layers, each one or more")
        biases = [(self.members, outputs) for _, _, outputs in sizes]
        joined = all(a[::2] == (b[0], b[1]) for a, b in pairwise(sizes))  # (M, O) and (M, I)
        if not joined or [bias.shape for bias in self.biases] != biases:
            raise DataError("the layers of a tower do not fit each other")
        straight = (self.members, self.inputs, self.outputs)
        if self.linear is not None and self.linear.shape != straight:
            raise DataError(f"the linear part is {self.linear.shape}, and not {straight}")

    @property
    def members(self) -> int:
        """M."""
        return len(self.weights[0])

    @property
    def inputs(self) -> int:
        """F."""
        return int(self.weights[0].shape[1])

    @property
    def outputs(self) -> int:
        """How many questions it answers."""
        return int(self.weights[-1].shape[2])

    @property
    def straight(self) -> NDArray[Any]:
        """(M, F, O) the linear part; zeros where there is none."""
        if self.linear is not None:
            return self.linear
        return np.zeros((self.members, self.inputs, self.outputs))

    def __call__(self, x: NDArray[Any], activation: Activation) -> NDArray[Any]:
        """Outputs (M, N, O) of standardised rows (N, F)."""
        hidden = x
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden = ACTIVATIONS[activation](hidden @ weight + bias[:, None])
        found = hidden @ self.weights[-1] + self.biases[-1][:, None]
        return np.asarray(found if self.linear is None else found + x @ self.linear)


@dataclass(frozen=True, eq=False)
class Network:
    """Perceptrons learnt from votes, see `Head`.

    Args:
        questions: ids, those of the first tower first.
        scaling: of the features.
        gain: (F,) what a standardised feature is multiplied by: below 1 where weights on it
            were shrunk more.
        towers: with equally many members; their outputs stand side by side.
        spread: (H,) what outputs are divided by, so that raw numbers have unit spread; an output
            is in units of sigma, the standard deviation of a dialogue's quality around it.
        activation: of the hidden layers.

    Source: MTDEval, section 4.1 (two heads on a frozen encoder). Differs: members, and the linear
        part, are ours.
    """

    questions: tuple[str, ...]
    scaling: Scaling
    gain: FloatArray
    towers: tuple[Tower, ...]
    spread: FloatArray
    activation: Activation = "relu"

    kind: ClassVar[str] = "network"

    def __post_init__(self) -> None:
        if sum(tower.outputs for tower in self.towers) != len(self.questions):
            raise DataError(f"the network's outputs are not {len(self.questions)} questions")
        if len({(tower.members, len(tower.weights)) for tower in self.towers}) != 1:
            raise DataError("the towers of a network have equally many members and layers")
        features = (self.width,)
        if self.gain.shape != features or any((one.inputs,) != features for one in self.towers):
            raise DataError(f"the towers and gains of a network do not read {self.width} features")
        if self.spread.shape != (len(self.questions),) or not divides(self.spread):
            raise DataError("each question needs a spread above 0")
        if not divides(np.abs(self.gain)):
            raise DataError("`gain` holds 0, or next to it")

    @property
    def width(self) -> int:
        """How many features it reads."""
        return len(self.scaling.center)

    def members(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (M, N, H) of rows (N, F), of each member by itself.

        A missing feature (NaN) counts as the training mean. How far the members lie apart says
        how sure the number is.
        """
        count = self.towers[0].members
        found = np.empty((count, len(rows), len(self.questions)))
        for start in range(0, len(rows), AT_ONCE):
            some = np.asarray(rows[start : start + AT_ONCE], np.float64)
            x = self.scaling(some) * self.gain
            outputs = [tower(x, self.activation) for tower in self.towers]
            found[:, start : start + len(some)] = np.concatenate(outputs, axis=2)
        return found / self.spread

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (N, H) of rows (N, F): the mean over members."""
        return np.asarray(self.members(rows).mean(axis=0))

    def in_one_tower(self) -> Network:
        """The same network, whose towers stand side by side in one: every question's output then
        comes of one last layer."""
        if len(self.towers) == 1:
            return self
        first, *others = zip(*(tower.weights for tower in self.towers), strict=True)
        weights = (np.concatenate(first, axis=2), *map(_side_by_side, others))
        biases = zip(*(tower.biases for tower in self.towers), strict=True)
        linear = None
        if any(tower.linear is not None for tower in self.towers):
            linear = np.concatenate([tower.straight for tower in self.towers], axis=2)
        tower = Tower(weights, tuple(np.concatenate(one, axis=1) for one in biases), linear)
        return replace(self, towers=(tower,))

    def differences(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """(N, H) by how much A is better than B, in units of sigma: the probability that A is
        the better one is Phi(d / sqrt 2)."""
        return (self.raw(a) - self.raw(b)) * self.spread


def _side_by_side(layers: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """One layer (M, I, O) of several that have inputs and outputs of their own."""
    from scipy.linalg import block_diag

    return np.stack([block_diag(*member) for member in zip(*layers, strict=True)])
