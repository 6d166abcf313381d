"""Methods that can be fitted, and what they say of rows that they were not fitted on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from assize.stats.arrays import FloatArray, IntArray
from assize.studies.splits import Folds, Mask, Split

D = TypeVar("D", contravariant=True)


class Predictor(Protocol[D]):
    """What was learnt from some rows."""

    def predict(self, data: D, rows: IntArray) -> FloatArray:
        """Values (n,), or probabilities (n, K) of a scale's answers, of n rows; NaN for none."""
        ...


class Method(Protocol[D]):
    """A way to learn from some rows of the data what others will be.

    The data are whatever the method reads; rows are places in them.
    """

    def fit(self, data: D, rows: IntArray, seed: int) -> Predictor[D]:
        """Learns from these rows alone; what is random comes from the seed."""
        ...


def predictions(method: Method[D], data: D, splits: Iterable[Split]) -> Iterator[FloatArray]:
    """What each split's fit says of the rows held from it (held, ...), split after split."""
    for split in splits:
        yield method.fit(data, split.fitted, split.seed).predict(data, split.held)


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
