"""The one head under several losses."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.evaluator.study.planted import DIMENSION, planted

from assize.base.errors import DataError
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._heads.ridge import RIDGES, Preferences, fit_ridge, fit_scaling
from assize.evaluator._study.linear_head import design


def test_targets_are_solved_as_the_evaluators_ridge_solves_them() -> None:
    data = planted(n=40)
    sides = Preferences("p", data.a, data.b, data.truth)
    scaling = fit_scaling([sides])
    wanted = fit_ridge([sides], scaling, RIDGES["turns"], TurnFeatures().widths(DIMENSION))
    found = design(data, np.arange(40)).of_targets(data.truth)(data, np.arange(40))
    np.testing.assert_allclose(found, (scaling(data.a) - scaling(data.b)) @ wanted)


def test_a_quadratic_cost_is_minimised_where_the_ridge_is() -> None:
    data = planted(n=120)
    rows, t = np.arange(120), data.truth
    made = design(data, rows)

    def squares(d: torch.Tensor, more: torch.Tensor) -> torch.Tensor:
        return 0.5 * (d - torch.from_numpy(t) - more[0]).square().sum()

    found = made.minimise(squares, np.zeros(1), strength=1.0)
    again = made.of_targets(t + found.more[0])
    scale = np.sqrt(np.mean((t + found.more[0]) ** 2))
    np.testing.assert_allclose(found.head.weights, again.weights * scale, atol=1e-3)


def test_a_design_is_made_once_and_few_are_kept() -> None:
    data = planted(n=60)
    first = design(data, np.arange(30))
    assert design(data, np.arange(30)) is first
    for start in range(20):
        design(data, np.arange(start, 60))
    assert len(data.designs) == 12
    with pytest.raises(DataError, match="no pair is left"):
        design(data, np.array([], dtype=np.int64))
    with pytest.raises(DataError, match="all targets are ties"):
        first.of_targets(np.zeros(30))
