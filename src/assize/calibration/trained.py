"""A published network that was trained: arrays alone, torch is not needed to predict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.calibration.forms import UNKNOWN, IntArray
from assize.calibration.network import Shape
from assize.calibration.setting import Setting
from assize.errors import ConfigError


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One trained network, as arrays.

    Args:
        setting, shape: what it is.
        shared: the shared matrices (a, b); row 0 is the bias.
        own: the raters' (R, a, b), or None where a layer has none.
        fill: (D,) what a missing column counts as.
    """

    setting: Setting
    shape: Shape
    shared: tuple[NDArray[np.float32], ...]
    own: tuple[NDArray[np.float32] | None, ...]
    fill: NDArray[np.float64]

    def hidden(self, x: NDArray[np.float64], rater: int = UNKNOWN) -> NDArray[np.float64]:
        """z2 (N, h2) of inputs (N, D), for one rater; the same for all where only V^a is theirs."""
        z = np.where(np.isnan(x), self.fill, x)
        for layer in (0, 1):
            z = 1 / (1 + np.exp(-_with_one(z) @ self.matrix(layer, rater)))
        return z

    def outputs(self, x: NDArray[np.float64], rater: int = UNKNOWN) -> NDArray[np.float64]:
        """Last layer (N, Q, K) before the softmax; (N, 1, 1) values with a mean head."""
        out = _with_one(self.hidden(x, rater)) @ self.matrix(2, rater)
        return out.reshape(len(x), len(self.shape.answers), self.shape.widest)

    def vector(self, rater: int = UNKNOWN) -> NDArray[np.float64]:
        """(h2 + 1,) a rater's vector v + v^a in regression mode; the bias first."""
        if self.setting.head != "mean":
            raise ConfigError("only a network with a mean head has one vector a rater")
        return self.matrix(2, rater)[:, 0].astype(np.float64)

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
        width = self.shape.answers[0]
        found = np.empty((len(x), width))
        for one in np.unique(rater).tolist():
            rows = rater == one
            found[rows] = self.outputs(x[rows], one)[:, 0, :width]
        return found if self.setting.head == "mean" else softmax(found)


def _with_one(z: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.hstack([np.ones((len(z), 1)), z])


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distributions (..., K)."""
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))
