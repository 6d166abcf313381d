"""One linear head under several losses: the ridge on targets, and any likelihood of differences.

All learners of a study have the same features, the same scaling and the same penalties, so that
only what they make of votes differs. A pair is the difference of its sides' standardised features;
there is no intercept, so that no learner can prefer a side for being first.

Letters: n pairs that are learnt from, F features.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from assize.base.errors import DataError
from assize.base.torch_extra import one_thread
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.ridge import RIDGES, Preferences, fit_scaling
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.stats._arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from torch import Tensor

_KEPT = 12  # designs in memory: learners one after the other ask for the same few
_STOP: Any = {"maxiter": 100, "ftol": 1e-7}  # far below what moves an answer

Head = Callable[[VotedPairs, IntArray], FloatArray]
"""`head(data, rows)`: (n,) how much better A is than B."""


@dataclass(frozen=True, slots=True)
class LinearHead:
    """Weights on standardised features: how much better A is than B, on a scale of its own."""

    scaling: Scaling
    weights: FloatArray  # (F,)

    def __call__(self, data: VotedPairs, rows: IntArray) -> FloatArray:
        """(n,) differences of some of the pairs."""
        return np.asarray((self.scaling(data.a[rows]) - self.scaling(data.b[rows])) @ self.weights)


@dataclass(frozen=True, eq=False)
class Design:
    """Standardised differences of some pairs, each feature divided by its penalty's root.

    So scaled every penalty is 1, whatever it was.
    """

    scaling: Scaling
    gains: FloatArray  # (F,)
    x: FloatArray  # (n, F)
    unit: float  # how much one pair counts beside the penalties

    @cached_property
    def _factor(self) -> Any:
        """Of the smaller of the two systems: (n, n) or (F, F)."""
        n, width = self.x.shape
        if n < width:
            return cho_factor(self.x @ self.x.T + np.eye(n) / self.unit)
        return cho_factor(self.unit * (self.x.T @ self.x) + np.eye(width))

    def of_targets(self, targets: FloatArray) -> LinearHead:
        """Least squares on targets (n,) in [-1, 1], as `heads.ridge.fit_ridge` solves it."""
        scale = float(np.sqrt(np.mean(targets**2)))
        if not scale > 1e-9:
            raise DataError("all targets are ties; there is nothing to learn from these votes")
        t = targets / scale
        if len(t) < self.x.shape[1]:
            weights = self.x.T @ cho_solve(self._factor, t)
        else:
            weights = cho_solve(self._factor, self.unit * (self.x.T @ t))
        return self._head(np.asarray(weights))

    def minimise(self, loss: Loss, start: FloatArray, strength: float) -> Minimum:
        """The head and the further parameters (P,) at which loss plus penalty is least.

        Args:
            start: of the further parameters, which are not penalised; weights begin at 0.
            strength: of the penalty: the curvature of the loss by a difference at 0, by which
                losses on different scales are shrunk alike.

        Minimised by L-BFGS, which is deterministic.
        """
        import torch

        x, width = torch.from_numpy(self.x), self.x.shape[1]

        def value_of(given: FloatArray) -> tuple[float, FloatArray]:
            theta = torch.tensor(given, requires_grad=True)
            weights, more = theta[:width], theta[width:]
            penalty = 0.5 * strength * weights.square().sum()
            total = self.unit * loss(x @ weights, more) + penalty
            (slope,) = torch.autograd.grad(total, theta)
            return total.item(), slope.numpy()

        theta = np.concatenate([np.zeros(width), start])
        with one_thread():
            least = minimize(value_of, theta, jac=True, method="L-BFGS-B", options=_STOP)
        return Minimum(self._head(least.x[:width]), least.x[width:], float(least.fun))

    def _head(self, weights: FloatArray) -> LinearHead:
        return LinearHead(self.scaling, weights * self.gains)


Loss: TypeAlias = "Callable[[Tensor, Tensor], Tensor]"
"""`loss(differences (n,), further parameters (P,))`, summed over pairs."""


class Minimum(NamedTuple):
    """Where a cost is least."""

    head: LinearHead
    more: FloatArray
    value: float


def design(data: VotedPairs, rows: IntArray) -> Design:
    """The design of some pairs; kept, because learners on one fold share it.

    Raises:
        DataError: there is no pair.
    """
    key = rows.tobytes()
    if key not in data.designs:
        if len(data.designs) == _KEPT:
            del data.designs[next(iter(data.designs))]
        data.designs[key] = _design(data, rows)
    prepared: Design = data.designs[key]
    return prepared


def _design(data: VotedPairs, rows: IntArray) -> Design:
    if len(rows) == 0:
        raise DataError("no pair is left to learn from")
    sides = Preferences("pairs", data.a[rows], data.b[rows], np.zeros(len(rows)))
    scaling, ridge = fit_scaling([sides]), RIDGES["turns"]
    gains = 1 / np.sqrt(ridge.per_feature(TurnFeatures().widths(data.dimension)))
    x = (scaling(sides.a) - scaling(sides.b)) * gains
    return Design(scaling, gains, x, ridge.corpus_rows / len(rows))
