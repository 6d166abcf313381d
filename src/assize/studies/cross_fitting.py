"""Methods that can be fitted, and what they say of rows that they were not fitted on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from assize.stats.arrays import FloatArray, IntArray
from assize.studies.splits import Folds, Mask, Split

D = TypeVar("D")

Predict = Callable[[D, IntArray], FloatArray]
"""`predict(data, rows)`: values (n,), or probabilities (n, K) of the answers; NaN for none."""

Method = Callable[[D, IntArray, int], Predict[D]]
"""`fit(data, rows, seed)`: learns from these rows alone and returns what predicts others.

The data are whatever the method reads, rows are places in them; what is random comes from the
seed.
"""


def predictions(method: Method[D], data: D, splits: Iterable[Split]) -> Iterator[FloatArray]:
    """What each split's fit says of the rows held from it (held, ...), split after split."""
    for split in splits:
        yield method(data, split.fitted, split.seed)(data, split.held)


def cross_fit(
    method: Method[D], data: D, folds: Folds, *, fit: Mask | None = None, ask: Mask | None = None
) -> FloatArray:
    """Predictions of every row by a fit that has not seen its fold.

    Args:
        fit, ask: (N,) rows that can be fitted on, and that are predicted; None for all.

    Returns:
        (S, N) or (S, N, K) for each seed; NaN where `ask` says no.

    A method that trains many fits side by side does the same with `Folds.splits` and
    `Folds.gathered`.
    """
    splits = list(folds.splits(fit, ask))
    return folds.gathered(splits, predictions(method, data, splits))
