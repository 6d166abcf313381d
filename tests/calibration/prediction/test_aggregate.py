from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assize.calibration import Scale
from assize.calibration.prediction.aggregate import aggregate
from assize.errors import ConfigError, DataError
from assize.judgment import Question

QUESTION = Question("Q", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))
SCALE = Scale.of(QUESTION)


def test_the_highest_answer_of_simulated_raters() -> None:
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), (1, 4))
    drawn = (p[0].cumsum(axis=1)[:, None] < rng.random((4, 40_000, 1))).sum(axis=2).max(axis=0)
    shares = np.bincount(drawn, minlength=3) / 40_000
    assert aggregate(p, SCALE, "max")[0] == pytest.approx(shares, abs=0.01)


def test_values_in_falling_order_are_ranked_by_value() -> None:
    p = np.random.default_rng(1).dirichlet(np.ones(3), (5, 2))
    turned = Scale.of(replace(QUESTION, values=(3, 2, 1)))
    mine = aggregate(p, SCALE, "max")
    assert aggregate(p[:, :, ::-1], turned, "max")[:, ::-1] == pytest.approx(mine)


def test_one_rater_together_is_that_rater() -> None:
    p = np.random.default_rng(1).dirichlet(np.ones(3), (5, 1))
    for how in ("mean", "max"):
        assert aggregate(p, SCALE, how) == pytest.approx(p[:, 0])


def test_what_cannot_be_aggregated_is_refused() -> None:
    p = np.full((2, 2, 3), 1 / 3)
    with pytest.raises(ConfigError, match="not ordered: none is the highest"):
        aggregate(p, Scale.of(replace(QUESTION, kind="nominal")), "max")
    with pytest.raises(ConfigError, match="known are mean and max"):
        aggregate(p, SCALE, "median")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no raters"):
        aggregate(p[:, :0], SCALE, "mean")
