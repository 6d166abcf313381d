from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.calibrate._data.forms import Scale
from assize.calibrate._joint_errors import shared_chances
from assize.calibrate._prediction.decode import aggregate, decide, describe

QUESTION = Question("Q", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))
ORDERED = Scale.of(QUESTION)
NOMINAL = Scale.of(replace(QUESTION, kind="nominal"))
P = np.array([[0.5, 0.3, 0.2]])


def test_mean_variance_entropy_and_at_most() -> None:
    # mean 0.5 + 0.6 + 0.6; second moment 0.5 + 1.2 + 1.8
    found = describe(P, ORDERED)
    assert found.mean[0] == pytest.approx(1.7)
    assert found.variance[0] == pytest.approx(3.5 - 1.7**2)
    assert found.entropy[0] == pytest.approx(-(P * np.log(P)).sum())
    assert found.at_most[0] == pytest.approx([0.5, 0.8, 1.0])


def test_distances_between_answers_without_order_are_refused() -> None:
    with pytest.raises(ConfigError, match="not ordered: no squared loss"):
        decide(P, NOMINAL, "squared")
    assert decide(P, NOMINAL, "wrong").tolist() == [0]
    with pytest.raises(ConfigError, match="not ordered: none is the highest"):
        aggregate(np.full((2, 2, 3), 1 / 3), NOMINAL, "max")


def test_values_in_falling_order_are_ranked_by_value() -> None:
    p = np.random.default_rng(1).dirichlet(np.ones(3), (5, 2))
    turned = Scale.of(replace(QUESTION, values=(3, 2, 1)))
    for how in ("max", "highest"):
        mine = aggregate(p, ORDERED, how)
        assert aggregate(p[:, :, ::-1], turned, how)[:, ::-1] == pytest.approx(mine)


def test_one_rater_together_is_that_rater() -> None:
    p = np.random.default_rng(1).dirichlet(np.ones(3), (5, 1))
    for how in ("mean", "max", "highest"):
        assert aggregate(p, ORDERED, how) == pytest.approx(p[:, 0])


@pytest.mark.parametrize("shared", [0.0, 0.6])
def test_extremes_of_raters_who_share_errors_are_those_of_drawn_answers(shared: float) -> None:
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), (1, 4))
    chance = shared_chances((60_000, 4), shared, rng)
    said = (p[0].cumsum(axis=1)[:, :2] < chance[..., None]).sum(axis=2)
    for how, place in (("highest", said.max(axis=1)), ("lowest", said.min(axis=1))):
        shares = np.bincount(place, minlength=3) / 60_000
        found = aggregate(p, ORDERED, how, shared)[0]  # type: ignore[arg-type]
        assert found == pytest.approx(shares, abs=0.01)
