from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.base.record_parts import from_parts, to_parts
from assize.reference._ensemble.models.blend import Blend
from assize.reference._ensemble.models.kernel import Kernel
from assize.reference._ensemble.models.linear import Linear
from assize.reference._ensemble.models.model import Model, StoredModel

LINEAR = Linear(np.array([1.0, 2.0]), 0.5)
KERNEL = Kernel(np.ones((3, 2)), np.array([1.0, -1.0, 0.5]), 0.3, 0.1)


@dataclass(frozen=True, eq=False)
class Holder:
    model: StoredModel


@pytest.mark.parametrize("model", [LINEAR, KERNEL, Blend((LINEAR, KERNEL), (0.5, 0.5))])
def test_a_model_is_read_back_as_it_was(model: Model) -> None:
    again = from_parts(Holder, *to_parts(Holder(model))).model
    z = np.array([[0.2, -0.4]])
    assert again.predict(z).tolist() == model.predict(z).tolist()
    assert type(again) is type(model)


def test_support_vectors_without_a_weight_each_are_refused() -> None:
    with pytest.raises(DataError, match="support vectors and weights differ"):
        replace(KERNEL, weights=np.ones(2))


def test_an_array_that_is_not_there_is_refused() -> None:
    facts, _ = to_parts(Holder(LINEAR))
    with pytest.raises(ValueError, match=r"there is no array 'model\.coefficients'"):
        from_parts(Holder, facts, {})
