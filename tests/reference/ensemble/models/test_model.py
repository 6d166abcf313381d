from __future__ import annotations

import numpy as np
import pytest

from assize.reference.ensemble.models.kinds import NAMES
from assize.reference.ensemble.models.learners import LEARNERS, Rows
from assize.reference.ensemble.models.model import Model


@pytest.mark.parametrize("name", LEARNERS)
def test_what_every_learner_makes_is_a_model(name: str) -> None:
    z = np.random.default_rng(0).normal(size=(60, 3))
    y = z[:, 0] + np.random.default_rng(1).normal(size=60)
    made: Model = LEARNERS[name].fit(Rows(z, y, np.ones(60), np.arange(60), 0))
    assert made.predict(z[:2]).shape == (2,)
    assert made.kind in (*NAMES, "blend")
    assert made.arrays()
