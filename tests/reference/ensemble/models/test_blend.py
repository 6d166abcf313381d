from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.base.record_parts import from_parts, to_parts
from assize.reference._ensemble.models.blend import Blend
from assize.reference._ensemble.models.linear import Linear

ONE, OTHER = Linear(np.array([1.0, 0.0]), 2.0), Linear(np.array([0.0, 4.0]), -2.0)
Z = np.array([[3.0, 0.5], [0.0, 0.0]])


def test_members_have_arrays_of_their_own_and_shares_in_the_mean() -> None:
    facts, arrays = to_parts(Blend((ONE, OTHER), (0.75, 0.25)))
    assert list(arrays) == ["members.0.coefficients", "members.1.coefficients"]
    assert from_parts(Blend, facts, arrays).predict(Z).tolist() == [3.75, 1.0]


def test_a_blend_without_a_share_for_each_member_or_of_blends_is_refused() -> None:
    for members, shares in (((ONE, OTHER), (1.0,)), ((), ())):
        with pytest.raises(DataError, match="a share for each"):
            Blend(members, shares)
    with pytest.raises(DataError, match="no blend itself"):
        Blend((Blend((ONE,), (1.0,)),), (1.0,))
