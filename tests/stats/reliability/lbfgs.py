"""The same maximum as EM's, by L-BFGS over logits: the oracle that EM is checked by.

The slope of a mixture's log-likelihood is the posterior mean of each class's own slope
(Fisher's identity), so both optimisers share `expect` and `maximise`'s sums.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit, softmax

from assize.stats._arrays import FloatArray
from assize.stats._reliability.cells import Cells
from assize.stats._reliability.em import Climbed, Model, State, expect, penalty

_FAR = 27.0  # expit of it is 1 - 2e-12


def descend(cells: Cells, state: State, model: Model) -> Climbed:
    """L-BFGS from one state until the slope a vote is below 1e-8.

    Args:
        state: one row; see `em.State`.

    Returns:
        As `em.climb`, for one state.
    """
    from scipy.optimize import minimize

    layout = _Layout(model, state)
    scale = max(1.0, cells.votes)
    found = minimize(
        _value_and_slope,
        layout.packed(state),
        args=(cells, layout, scale),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 1_000, "ftol": 1e-12, "gtol": 1e-8, "maxcor": 20},
    )
    end = layout.unpacked(np.asarray(found.x))
    expected = expect(cells, end)
    likelihood = (expected.log_likelihood * cells.count).sum(axis=1)
    value = likelihood + penalty(end, model)
    return Climbed(end, expected, likelihood, value, bool(found.success))


def _value_and_slope(
    at: FloatArray, cells: Cells, layout: _Layout, scale: float
) -> tuple[float, FloatArray]:
    state = layout.unpacked(at)
    expected = expect(cells, state)
    value = float(expected.log_likelihood[0] @ cells.count) + float(penalty(state, layout.model)[0])
    slope = layout.slopes(cells, state, expected.posterior[0] * cells.count[:, None])
    return -value / scale, -slope / scale


class _Layout:
    """How a state becomes a vector of logits, with shared ones once."""

    def __init__(self, model: Model, state: State) -> None:
        self.model = model
        self.judges = state.alpha.shape[1]
        # (classes, free shares): with even sides A and B rise together
        self.classes = np.ones((2, 1)) if model.even else np.eye(2)

    def packed(self, state: State) -> FloatArray:
        skills = [state.alpha, state.beta][: 1 if self.model.tied else 2]
        parts = [logit(one[0]) for one in skills]
        share = np.log(np.maximum(state.share[0], 1e-12))
        parts.append(share @ self.classes / self.classes.sum(axis=0))
        return np.asarray(np.clip(np.concatenate(parts), -_FAR, _FAR))

    def unpacked(self, at: FloatArray) -> State:
        alpha, at = at[: self.judges], at[self.judges :]
        beta = alpha
        if not self.model.tied:
            beta, at = at[: self.judges], at[self.judges :]
        free = self.classes.shape[1]
        share = softmax(self.classes @ at[:free])
        rows = [expit(np.clip(one, -_FAR, _FAR)) for one in (alpha, beta)]
        return State(rows[0][None], rows[1][None], share[None])

    def slopes(self, cells: Cells, state: State, weight: FloatArray) -> FloatArray:
        """Of the penalised log-likelihood; `weight` (U, C) is each class's posterior count."""
        model, priors = self.model, self.model.priors
        is_a, is_b = weight[:, 0], weight[:, 1]
        right = np.stack([is_a @ cells.for_a, is_b @ cells.for_b])
        wrong = np.stack([is_a @ cells.for_b, is_b @ cells.for_a])
        if model.tied:
            right, wrong = right.sum(axis=0, keepdims=True), wrong.sum(axis=0, keepdims=True)
        skill = np.stack([state.alpha[0], state.beta[0]])[: len(right)]
        parts = [((1 - skill) * (right + priors.right) - skill * (wrong + priors.wrong)).ravel()]
        count = weight.sum(axis=0) + priors.answer
        parts.append((count - state.share[0] * count.sum()) @ self.classes)
        return np.concatenate(parts)
