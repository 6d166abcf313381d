"""AdamW in place, and the schedule of its rates.

Source: Loshchilov and Hutter, "Decoupled weight decay regularization", algorithm 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EPSILON = 1e-8


@dataclass(slots=True)
class AdamW:
    """Moments of one vector of parameters (P,).

    Args:
        moments, squares: running means (P,) of gradients and of their squares.
        decayed: how many parameters, from the first, are drawn to 0.
    """

    moments: NDArray[np.floating]
    squares: NDArray[np.floating]
    betas: tuple[float, float]
    decay: float = 0.0
    decayed: int = 0

    @classmethod
    def of(
        cls,
        parameters: NDArray[np.floating],
        betas: tuple[float, float],
        decay: float = 0.0,
        decayed: int = 0,
    ) -> AdamW:
        """Before the first step."""
        zeros = np.zeros_like(parameters)
        return cls(zeros, zeros.copy(), betas, decay, decayed)

    def step(
        self,
        parameters: NDArray[np.floating],
        gradient: NDArray[np.floating],
        *,
        rate: float,
        number: int,
    ) -> None:
        """Moves `parameters` in place; `gradient` is used up. Steps are numbered from 1."""
        first, second = self.betas
        self.moments *= first
        self.moments += (1 - first) * gradient
        gradient *= gradient
        gradient *= 1 - second
        self.squares *= second
        self.squares += gradient
        if self.decay and self.decayed:
            parameters[: self.decayed] *= 1 - rate * self.decay
        np.sqrt(self.squares, out=gradient)
        gradient /= math.sqrt(1 - second**number)
        gradient += EPSILON
        np.divide(self.moments, gradient, out=gradient)
        gradient *= rate / (1 - first**number)
        parameters -= gradient


def share_of_rate(step: int, steps: int, warm_up: float) -> float:
    """What the rates are multiplied by at a step, from 0: up linearly over the first share
    `warm_up` of the steps, then down a cosine to 0.

    Source: MTDEval, appendix C.

    >>> [round(share_of_rate(step, 100, 0.1), 3) for step in (0, 9, 10, 55, 100)]
    [0.1, 1.0, 1.0, 0.5, 0.0]
    """
    rising = int(warm_up * steps)
    if step < rising:
        return (step + 1) / rising
    return 0.5 * (1 + math.cos(math.pi * (step - rising) / max(1, steps - rising)))
