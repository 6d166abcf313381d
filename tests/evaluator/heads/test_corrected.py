from __future__ import annotations

import numpy as np
import pytest

from assize.errors import DataError
from assize.evaluator.heads.corrected import Corrected
from assize.evaluator.heads.head import open_head
from assize.evaluator.heads.linear import Linear, Scaling

RNG = np.random.default_rng(0)
WIDTH, NAMES = 5, ("one", "two")


def head() -> Corrected:
    scaling = Scaling(RNG.normal(size=WIDTH), RNG.uniform(1, 2, WIDTH))
    inner = Linear(scaling, {name: RNG.normal(size=WIDTH) for name in NAMES})
    return Corrected(inner, scaling, RNG.normal(size=(2, 2)), RNG.normal(size=(WIDTH, 2)))


def test_numbers_by_hand() -> None:
    plain = Scaling(np.zeros(2), np.ones(2))
    inner = Linear(plain, {"q": np.array([1.0, 0.0])})
    found = Corrected(inner, plain, np.array([[2.0]]), np.array([[0.0], [3.0]]))
    assert found.raw(np.array([[1.0, 1.0], [0.5, np.nan]])).tolist() == [[5.0], [1.0]]
    assert found.raw(np.empty((0, 2))).shape == (0, 1)


def test_a_unit_correction_changes_nothing() -> None:
    one = head()
    same = Corrected(one.inner, one.scaling, np.eye(2), np.zeros((WIDTH, 2)))
    rows = RNG.normal(size=(4, WIDTH))
    assert same.raw(rows) == pytest.approx(one.inner.raw(rows))


def test_what_is_kept_comes_back() -> None:
    one, rows = head(), RNG.normal(size=(4, WIDTH))
    again = open_head("corrected", one.arrays(), NAMES, one.settings, WIDTH)
    assert again.raw(rows) == pytest.approx(one.raw(rows), rel=1e-4)
    assert again.settings == one.settings


@pytest.mark.parametrize("name", ["correction.mix", "correction.weights", "correction.scale"])
def test_damaged_arrays_are_refused(name: str) -> None:
    one = head()
    arrays = one.arrays()
    arrays[name] = np.full_like(arrays[name], np.nan)
    with pytest.raises(DataError, match="finite"):
        open_head("corrected", arrays, NAMES, one.settings, WIDTH)


def test_a_correction_within_a_correction_is_refused() -> None:
    one = head()
    with pytest.raises(DataError, match="not corrected"):
        open_head("corrected", one.arrays(), NAMES, {"kind": "corrected", "settings": {}}, WIDTH)
