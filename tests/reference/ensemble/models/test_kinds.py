from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.reference.ensemble.models.blend import Blend
from assize.reference.ensemble.models.kernel import Kernel
from assize.reference.ensemble.models.kinds import NAMES, READERS, read_model
from assize.reference.ensemble.models.linear import Linear

LINEAR = Linear(np.array([1.0, 2.0]), 0.5)
KERNEL = Kernel(np.ones((3, 2)), np.array([1.0, -1.0, 0.5]), 0.3, 0.1)
Z = np.array([[0.2, -0.4]])


@pytest.mark.parametrize("model", [LINEAR, KERNEL, Blend((LINEAR, KERNEL), (0.5, 0.5))])
def test_a_model_is_read_back_as_it_was(model: Any) -> None:
    again = read_model(model.kind, model.facts(), model.arrays(), 2)
    assert again.predict(Z).tolist() == model.predict(Z).tolist()


def test_every_kind_that_is_read_says_which_arrays_it_has() -> None:
    assert NAMES.keys() == READERS.keys()


def test_support_vectors_without_a_weight_each_are_refused() -> None:
    with pytest.raises(ValueError, match="support vectors and weights differ"):
        read_model("kernel", {}, KERNEL.arrays() | {"weights": np.ones(2)}, 2)


def test_a_blend_without_a_share_for_each_member_is_refused() -> None:
    both = Blend((LINEAR, KERNEL), (0.5, 0.5))
    with pytest.raises(ValueError, match="a share for each"):
        read_model("blend", {"members": ["linear", "kernel"], "shares": [1.0]}, both.arrays(), 2)


def test_a_blend_of_blends_is_refused() -> None:
    with pytest.raises(KeyError):
        read_model("blend", {"members": ["blend"], "shares": [1.0]}, {}, 2)


def test_an_array_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        read_model("linear", {}, {"intercept": np.zeros(1)}, 2)
