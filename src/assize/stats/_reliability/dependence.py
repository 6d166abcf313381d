"""How much less several judges' votes say together than as many independent ones would.

Variants of one model, two orders of one prompt, and judges that fall for the same thing err
together. The fit of reliabilities stands that well; the certainty of a label does not: fifty
votes that agree because they are one opinion make every label look sure.
"""

from __future__ import annotations

import numpy as np

from assize.stats._arrays import FloatArray
from assize.stats._reliability.cells import Cells
from assize.stats._reliability.em import State


def evidence(cells: Cells, state: State) -> FloatArray:
    """(U,) log-odds of A that the sided votes of each row give, the class shares left out."""
    for_a, for_b = _weights(state)
    return np.asarray(cells.for_a @ for_a + cells.for_b @ for_b)


def discount(cells: Cells, state: State, posterior: FloatArray) -> float:
    """The design effect of votes: 1 for independent judges, J for J copies of one.

    Args:
        state: one row.
        posterior: (U, C) probability of each class; A first, then B.

    The variance of the votes' log-odds around their mean within each class, over what it
    would be were the judges independent given the class. At least 1; 1 where there is no
    row with two votes.

    Source: Kish (1965), section 8.2, for the notion; taking it from the residuals of a
    latent class model is ours.
    """
    for_a, for_b = _weights(state)
    step, number = for_a - for_b, cells.sided
    found = evidence(cells, state)
    several = number.sum(axis=1) > 1
    observed = expected = 0.0
    for place, rate in ((0, state.alpha[0]), (1, 1 - state.beta[0])):
        weight = posterior[:, place] * cells.count * several
        mean = number @ (rate * for_a + (1 - rate) * for_b)
        observed += float(weight @ np.square(found - mean))
        expected += float(weight @ (number @ (rate * (1 - rate) * np.square(step))))
    return max(1.0, observed / expected) if expected > 0 else 1.0


def independence(cells: Cells, state: State, posterior: FloatArray) -> FloatArray:
    """(J,) how much of an independent judge each one is: 1 alone, 1/m for m copies of one.

    One over the sum of absolute correlations with all judges, itself included, of what is
    left of the votes once the better side is known. Chance correlations on few pairs count
    too, so that little data is taken for little. 0 for a judge without a vote for a side.
    """
    number = cells.sided
    products = np.zeros((number.shape[1], number.shape[1]))
    for place, rate in ((0, state.alpha[0]), (1, 1 - state.beta[0])):
        left = cells.for_a - number * rate
        products += (left * (posterior[:, place] * cells.count)[:, None]).T @ left
    spread = np.sqrt(np.diag(products))
    voted = spread > 0
    scale = np.where(voted, spread, 1.0)
    redundant = np.abs(products / np.outer(scale, scale)).sum(axis=0)
    return np.where(voted, 1 / np.maximum(redundant, 1.0), (cells.count @ number > 0) * 1.0)


def capped(weight: FloatArray, families: FloatArray | None) -> FloatArray:
    """(J,) the weights, those of one family (J, F) adding up to at most one judge."""
    if families is None:
        return weight
    total = np.maximum(1.0, families.T @ weight)
    return np.asarray(weight / (families @ total))


def _weights(state: State) -> tuple[FloatArray, FloatArray]:
    """(J,) log-odds of one vote for A, and of one for B."""
    alpha, beta = state.alpha[0], state.beta[0]
    return np.log(alpha) - np.log1p(-beta), np.log1p(-alpha) - np.log(beta)
