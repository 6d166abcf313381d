from __future__ import annotations

import numpy as np

from assize.reference.ensemble.models.blend import Blend
from assize.reference.ensemble.models.linear import Linear

ONE, OTHER = Linear(np.array([1.0, 0.0]), 2.0), Linear(np.array([0.0, 4.0]), -2.0)
Z = np.array([[3.0, 0.5], [0.0, 0.0]])


def test_it_predicts_the_mean_in_shares() -> None:
    assert Blend((ONE, OTHER), (0.75, 0.25)).predict(Z).tolist() == [3.75, 1.0]


def test_each_member_s_arrays_have_names_of_their_own() -> None:
    assert set(Blend((ONE, OTHER), (0.5, 0.5)).arrays()) == {
        "0.coefficients",
        "0.intercept",
        "1.coefficients",
        "1.intercept",
    }
