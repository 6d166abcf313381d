"""Which forms are held out together: by item, by group, or one group at a time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from assize.calibration.data.forms import Forms, IntArray
from assize.errors import DataError


def item_folds(forms: Forms, count: int, rng: np.random.Generator) -> IntArray:
    """A fold 0..count-1 of each form (N,), all forms about one item in the same."""
    return group_folds(forms.item.tolist(), count, rng)


def group_folds(groups: Sequence[Hashable], count: int, rng: np.random.Generator) -> IntArray:
    """A fold 0..count-1 of each row (N,), all rows of a group in the same.

    Raises:
        DataError: there are fewer groups than folds.
    """
    names = list(dict.fromkeys(groups))
    if not 2 <= count <= len(names):
        raise DataError(
            f"{count} folds of {len(names)} items or groups: each fold needs one, and at least 2"
            " folds are needed; ask for fewer folds, or give ratings of more items"
        )
    dealt = dict(zip(names, (rng.permutation(len(names)) % count).tolist(), strict=True))
    return np.array([dealt[group] for group in groups], dtype=np.int64)


def one_out(groups: Sequence[Hashable]) -> IntArray:
    """A fold a group (N,): leave one topic, one system, one rater out."""
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    return np.array([names[group] for group in groups], dtype=np.int64)
