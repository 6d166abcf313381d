from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.errors import DataError
from assize.evaluator.adapting.labels import Labels
from assize.evaluator.adapting.memory import labels_kept, labels_of

RNG = np.random.default_rng(0)


def labels(*, paired: bool = False) -> Labels:
    sides = (2,) if paired else ()
    features = RNG.normal(size=(3, *sides, 5)).astype(np.float32).astype(float)
    features[0, ..., 1] = np.nan
    raw = RNG.normal(size=(3, *sides, 2)).astype(np.float32).astype(float)
    ends = None if paired else (1.0, 5.0)
    return Labels(
        "overall", ("a", "b", "c"), ("x", "x", "y"), np.array([1.0, 2, 5]), features, raw,
        paired, "conversation", not paired, ends, (False, True, False),
    )  # fmt: skip


@pytest.mark.parametrize("paired", [False, True])
def test_what_is_kept_comes_back(paired: bool) -> None:
    one = labels(paired=paired)
    facts, arrays = labels_kept([one, labels()])
    again = labels_of(facts, arrays, 5, 2)[0]
    for name in ("question", "keys", "groups", "paired", "by", "natural", "ends", "turn"):
        assert getattr(again, name) == getattr(one, name)
    for name in ("targets", "features", "raw"):
        assert np.array_equal(getattr(again, name), getattr(one, name), equal_nan=True)
    assert all(np.isfinite(array).all() for array in arrays.values())


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"labels.0.features": None}, "no array `labels.0.features`"),
        ({"labels.0.missing": np.zeros(9, np.uint8)}, "of the features' size"),
        ({"labels.0.targets": np.full(3, np.nan)}, "no finite number"),
    ],
)
def test_damaged_arrays_are_refused(damage: dict[str, Any], said: str) -> None:
    facts, arrays = labels_kept([labels()])
    found = {name: one for name, one in (arrays | damage).items() if one is not None}
    with pytest.raises(DataError, match=said):
        labels_of(facts, found, 5, 2)


def test_labels_of_other_lengths_are_refused() -> None:
    facts, arrays = labels_kept([labels()])
    with pytest.raises(DataError, match="3 labels of 1 groups"):
        labels_of([facts[0] | {"groups": ["x"]}], arrays, 5, 2)
