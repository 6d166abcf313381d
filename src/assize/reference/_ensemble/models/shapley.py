"""What each metric contributes to a prediction: Shapley values against the average continuation.

The value of a group of metrics is the prediction with theirs as measured and all others at their
average (0, as metrics are standardised). A Shapley value is a metric's mean addition over all
orders in which metrics are added; here over some orders, drawn at random, each with its reverse.

Source: Castro et al. (2009), "Polynomial calculation of the Shapley value based on sampling".
Differs: each order is taken with its reverse, which makes the error smaller.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assize.stats._arrays import FloatArray

ORDERS = 100  # of the metrics, each with its reverse


def sampled_contributions(
    predict: Callable[[FloatArray], FloatArray],
    z: FloatArray,
    rng: np.random.Generator,
    orders: int = ORDERS,
) -> FloatArray:
    """(N, M) Shapley values of the prediction of rows (N, M).

    Whatever the orders, they add up to prediction less average exactly, and those of a weighted
    sum are exact. All rows have the same orders.
    """
    metrics = z.shape[1]
    drawn = [rng.permutation(metrics) for _ in range(orders)]
    found = np.zeros_like(z)
    for row, values in enumerate(z):
        for order in (one for half in drawn for one in (half, half[::-1])):
            added = np.argsort(order) < np.arange(metrics + 1)[:, None]  # (M + 1, M) by then
            found[row, order] += np.diff(predict(np.where(added, values, 0.0)))
    return found / (2 * orders)
