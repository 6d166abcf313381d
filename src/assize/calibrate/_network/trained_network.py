"""A published network that was trained: arrays alone, torch is not needed to predict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from assize.base.errors import DataError
from assize.calibrate._data.forms import UNKNOWN, IntArray
from assize.calibrate._network.inputs import Inputs
from assize.calibrate._network.layers import Shape
from assize.calibrate._network.settings import Setting


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One trained network, as arrays.

    Args:
        setting, shape: what it is.
        shared: the shared matrices (a, b); row 0 is the bias.
        own: the raters' (R, a, b), or None where a layer has none.
        inputs: how it reads features.
        vectors, bias: vectors (K, d) of the target's answers and one number an answer (K,); None
            where these have no vectors.
    """

    setting: Setting
    shape: Shape
    shared: tuple[NDArray[np.float32], ...]
    own: tuple[NDArray[np.float32] | None, ...]
    inputs: Inputs
    vectors: NDArray[np.float64] | None = None
    bias: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        setting, shape = self.setting, self.shape
        sizes = (setting.hidden1, setting.hidden2, setting.personal)
        if sizes != (shape.hidden1, shape.hidden2, shape.personal):
            raise DataError("the sizes of a network are not those of its setting")
        if self.inputs.fill.ndim != 1 or len(self.inputs) != shape.inputs:
            raise DataError("the inputs are not the network's")
        weights = [part.shape for part in self.shared]
        own = [None if part is None else part.shape for part in self.own]
        personal = zip(shape.personal, shape.layers, strict=True)
        expected = [
            (shape.raters, *layer) if has and shape.raters else None for has, layer in personal
        ]
        if weights != list(shape.layers) or own != expected:
            raise DataError("the weights are not of the network's sizes")
        vectors = (*shape.answers, *shape.heads), shape.answers
        found = [None if part is None else part.shape for part in (self.vectors, self.bias)]
        if found != (list(vectors) if shape.embedded else [None, None]):
            raise DataError("the vectors are not those of the target's answers")

    def head(self, rater: int = UNKNOWN) -> NDArray[np.float64]:
        """(h2 + 1, K) what makes the target's logits of [1; z2].

        With vectors of the answers it is U E^T, and the answers' biases in its first row.
        """
        found = self.matrix(2, rater)
        if self.vectors is None or self.bias is None:
            return found.astype(np.float64)
        full = found @ self.vectors.T
        full[0] += self.bias
        return np.asarray(full)

    def matrix(self, layer: int, rater: int) -> NDArray[np.float32]:
        """Shared and own weights (a, b) of a rater in one of the layers; the bias first."""
        own = self.own[layer]
        return (
            self.shared[layer]
            if own is None or rater == UNKNOWN
            else self.shared[layer] + own[rater]
        )

    def probabilities(self, x: NDArray[np.float64], rater: IntArray) -> NDArray[np.float64]:
        """The target's answers (N, K), or values (N, 1) with a mean head, of rows (N, D)
        by raters (N,); UNKNOWN has the shared weights only."""
        z = self.inputs.transform(x)
        found = np.empty((len(x), self.shape.answers[0]))
        for one in np.unique(rater).tolist():
            rows = rater == one
            found[rows] = self._answers(z[rows], one)
        return found

    def everyone(self, x: NDArray[np.float64], raters: Sequence[int]) -> NDArray[np.float64]:
        """The same of every row by each of some raters: (N, R, K), or (N, R, 1)."""
        z = self.inputs.transform(x)
        found = np.empty((len(x), len(raters), self.shape.answers[0]))
        for place, rater in enumerate(raters):
            found[:, place] = self._answers(z, rater)
        return found

    def gradient(
        self, x: NDArray[np.float64], rater: int, values: Sequence[float]
    ) -> NDArray[np.float64]:
        """Gradient (N, D) of the target's expected answer with respect to x (N, D).

        Missing columns count as the network's fill, and the gradient is taken there.

        Args:
            rater: a place among the raters, or UNKNOWN.
            values: (K,) one number an answer of the target.
        """
        *hidden, out = self._layers(self.inputs.transform(x), rater)
        p = softmax(out, axis=-1)
        scores = np.asarray(values, dtype=np.float64)
        back = p * (scores - (p @ scores)[:, None]) @ self.head(rater)[1:].T
        for layer in (1, 0):
            z = hidden[layer]
            back = (back * z * (1 - z)) @ self.matrix(layer, rater)[1:].T
        return self.inputs.gradient_by_features(back)

    def _answers(self, z: NDArray[np.float64], rater: int) -> NDArray[np.float64]:
        out = self._layers(z, rater)[-1]
        return np.asarray(out if self.setting.head == "mean" else softmax(out, axis=-1))

    def _layers(self, z: NDArray[np.float64], rater: int) -> list[NDArray[np.float64]]:
        """What each layer makes of inputs (N, I): z1, z2, and the outputs before the softmax."""
        found = []
        for layer in (0, 1):
            matrix = self.matrix(layer, rater)
            z = expit(matrix[0] + z @ matrix[1:])
            found.append(z)
        last = self.head(rater)
        return [*found, last[0] + z @ last[1:]]
