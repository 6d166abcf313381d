"""AuxiNash: in pre-training the questions bargain for the direction of every step.

The gradients g_i of the questions' losses, by the weights that all questions share, are the
columns of G. The step is sum_i alpha_i g_i, where

    G'G alpha = p / alpha          (the asymmetric Nash bargain with powers p, sum 1)

and the powers are learnt: every so many steps p moves against the gradient of the target's loss
on another minibatch of the training rows,

    dL/dp = -(grad L . G) (G'G + diag(p / alpha^2))^-1 diag(1 / alpha).

Source: Shamsian et al. (2023), claim 4.1, equations 5 and 6, algorithm 1, which Hashemi et al.
(2024) name as what their two phases stand in for. Differs: alpha is the minimum of the convex
alpha' G'G alpha / 2 - sum_i p_i log alpha_i, found by Newton's method, whose gradient is the
condition above (theirs: a concave-convex procedure); the inverse Hessian of equation 6 is the
identity (theirs: three terms of a Neumann series); the step is as long as the plain one, and
the questions' heads, which nothing is shared in, move by their plain gradients; Adam takes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from assize.calibration.data.forms import Forms
from assize.calibration.network.answer_embeddings import Embeddings
from assize.calibration.network.batched_training import BatchedTraining
from assize.calibration.network.layers import ForwardPass, Weights, backward
from assize.calibration.network.settings import Job

if TYPE_CHECKING:
    from torch import Tensor

EVERY = 25  # steps between two moves of the powers
POWER_RATE = 0.1  # of the powers, where the target's gradient and the step have length 1
LEAST_POWER = 0.01  # of a question, before they are made to sum to 1
RIDGE = 1e-4  # of the mean squared gradient, so that equal gradients still have one bargain
ROUNDS = 50  # of Newton's method
CLOSE = 1e-6  # of the largest relative error, where it ends


def bargain(gram: Tensor, powers: Tensor) -> Tensor:
    """Weights alpha (M, Q) above 0 with gram alpha = powers / alpha.

    Args:
        gram: (M, Q, Q) products of gradients, positive definite.
        powers: (M, Q) above 0.

    Steps are cut as a barrier of logarithms wants it (by their decrement), and so that no weight
    falls below a tenth of itself; so they converge from anywhere.
    """
    import torch

    alpha = (powers / gram.diagonal(dim1=-2, dim2=-1)).sqrt()
    for _ in range(ROUNDS):
        slope = (gram @ alpha.unsqueeze(-1)).squeeze(-1) - powers / alpha
        if float((slope * alpha / powers).abs().max()) < CLOSE:
            break
        curve = gram + torch.diag_embed(powers / alpha**2)
        step = -torch.linalg.solve(curve, slope)
        size = torch.ones(len(alpha), 1, dtype=alpha.dtype)
        falls = (-step / alpha).amax(dim=1, keepdim=True)
        size = torch.where(falls > 0.9, 0.9 / falls, size)
        decrement = (-(slope * step).sum(dim=1, keepdim=True)).clamp(min=0).sqrt()
        size = torch.minimum(size, 1 / (1 + decrement / powers.amin(dim=1, keepdim=True).sqrt()))
        alpha = alpha + size * step
    return alpha


def by_powers(gram: Tensor, powers: Tensor, alpha: Tensor, main: Tensor) -> Tensor:
    """Gradient (M, Q) of the target's loss elsewhere by the powers.

    Args:
        main: (M, Q) products of that loss's gradient with the questions'.
    """
    import torch

    curve = gram + torch.diag_embed(powers / alpha**2)
    slopes: Tensor = -torch.linalg.solve(curve, main) / alpha
    return slopes


class Bargaining(BatchedTraining):
    """Networks whose questions bargain in pre-training; fine-tuning is as it was."""

    def __init__(self, forms: Forms, jobs: Sequence[Job], embeddings: Embeddings = ()) -> None:
        import torch

        super().__init__(forms, jobs, embeddings)
        questions = len(self.heads)
        self.powers = torch.full((len(self.jobs), questions), 1 / questions, dtype=torch.float64)

    def keep(self, places: Sequence[int]) -> None:
        """Goes on with some of the networks only."""
        super().keep(places)
        self.powers = self.powers[list(places)]

    def _backward(self, passed: ForwardPass, gradient: Tensor) -> Weights:
        """Gradients of all matrices; those that questions share are put together by a bargain."""
        if self.tuning or len(self.heads) == 1:
            return backward(self.weights, passed, gradient)
        plain = backward(self.weights, passed, gradient)
        each = self._each_question(passed, gradient)  # (M, Q, P)
        gram = _products(each)
        alpha = bargain(gram, self.powers)
        if self.steps % EVERY == 0:
            self._move_powers(gram, alpha, each)
        found = (alpha.float().unsqueeze(1) @ each).squeeze(1)
        whole = each.sum(dim=1)
        found *= whole.norm(dim=1, keepdim=True) / found.norm(dim=1, keepdim=True).clamp(min=1e-12)
        return _with_shared(plain, found)

    def _each_question(self, passed: ForwardPass, gradient: Tensor) -> Tensor:
        """(M, Q, P) gradient of each question's share of the loss by what all share."""
        import torch

        parts = gradient.reshape(*gradient.shape[:-1], len(self.heads), -1)
        found = []
        for place in range(len(self.heads)):
            alone = torch.zeros_like(parts)
            alone[..., place, :] = parts[..., place, :]
            found.append(_flat(backward(self.weights, passed, alone.flatten(-2))))
        return torch.stack(found, dim=1)

    def _move_powers(self, gram: Tensor, alpha: Tensor, each: Tensor) -> None:
        """Powers go where the target's loss on another minibatch falls; the sum stays 1."""
        passed, gradient, _ = self._drawn()
        elsewhere = self._each_question(passed, gradient)[:, 0]
        main = (each.double() @ elsewhere.double().unsqueeze(-1)).squeeze(-1)
        main = main / elsewhere.double().norm(dim=1, keepdim=True).clamp(min=1e-12)
        slope = by_powers(gram, self.powers, alpha, main)
        powers = (self.powers - POWER_RATE * slope).clamp(min=LEAST_POWER)
        self.powers = powers / powers.sum(dim=1, keepdim=True)


def _products(each: Tensor) -> Tensor:
    """(M, Q, Q) of gradients (M, Q, P), made positive definite."""
    import torch

    exact = each.double()
    gram = exact @ exact.transpose(-1, -2)
    size = gram.diagonal(dim1=-2, dim2=-1)
    least = RIDGE * size.mean(dim=-1, keepdim=True).clamp(min=1e-24)
    return gram + torch.diag_embed(least.expand_as(size))


def _flat(gradients: Weights) -> Tensor:
    """(M, P) of all layers but the last."""
    import torch

    parts = [*gradients.shared[:-1], *(part for part in gradients.own[:-1] if part is not None)]
    return torch.cat([part.flatten(1) for part in parts], dim=1)


def _with_shared(gradients: Weights, flat: Tensor) -> Weights:
    """The gradients with those of all layers but the last replaced by (M, P)."""
    import torch

    sizes = [*gradients.shared[:-1], *(part for part in gradients.own[:-1] if part is not None)]
    ends = list(accumulate(one[0].numel() for one in sizes))[:-1]
    pieces = iter(torch.tensor_split(flat, ends, dim=1))
    shared = [next(pieces).reshape(part.shape) for part in gradients.shared[:-1]]
    own = [
        None if part is None else next(pieces).reshape(part.shape) for part in gradients.own[:-1]
    ]
    return replace(gradients, shared=(*shared, gradients.shared[-1]), own=(*own, gradients.own[-1]))
