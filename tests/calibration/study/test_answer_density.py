from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from assize.calibration.study.answer_density import SHRINK, AnswerDensity, fit_density
from assize.calibration.study.importance import manifold
from assize.errors import ConfigError, DataError


def ring(count: int = 600, noise: float = 0.03) -> tuple[np.ndarray, np.ndarray]:
    """Points near a circle in three dimensions, and their angles."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, count)
    flat = np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], axis=1)
    return flat + noise * rng.normal(size=flat.shape), angle


def test_the_density_is_that_of_scipy() -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(2, 3, 3))
    found = AnswerDensity(
        np.array([0.3, 0.7]), rng.normal(size=(2, 3)), root @ root.transpose(0, 2, 1), 0.5
    )
    x = rng.normal(size=(5, 3))
    each = [
        multivariate_normal(mean, (1 - SHRINK) * own + SHRINK * 0.5 * np.eye(3)).pdf(x)
        for mean, own in zip(found.means, found.covariances, strict=True)
    ]
    p = np.stack(each, axis=1) * found.weights
    assert found.log_density(x) == pytest.approx(np.log(p.sum(axis=1)))
    assert found.shares(x) == pytest.approx(p / p.sum(axis=1, keepdims=True))


def test_one_component_sees_what_principal_components_see() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 4)) * [3, 2, 0.3, 0.1]
    slope = rng.normal(size=(200, 4))
    one = fit_density(x, components=1, rng=rng).along(x, slope, 0.9)
    flat = slope @ manifold(x, 0.9).T
    assert one @ one.T == pytest.approx(flat @ flat.T)


def test_one_normal_is_told_from_several() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(300, 5))
    assert len(fit_density(x, rng=rng).weights) == 1
    x[:150] += 6
    found = fit_density(x, rng=rng)
    assert len(found.weights) == 2
    assert found.weights == pytest.approx([0.5, 0.5], abs=0.01)


def test_around_a_ring_the_radius_is_no_direction_where_principal_components_keep_it() -> None:
    x, angle = ring()
    found = fit_density(x, rng=np.random.default_rng(3))
    radius = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    around = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=1)

    def kept(slope: np.ndarray) -> float:
        return float((found.along(x, slope, 0.8) ** 2).sum(axis=1).mean())

    flat = manifold(x, 0.9)
    assert ((radius @ flat.T) ** 2).sum(axis=1).mean() > 0.95
    assert len(found.weights) == 4
    assert kept(radius) < 0.25
    assert kept(around) > 0.75


def test_what_cannot_be_learnt_is_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(DataError, match="two items that differ"):
        fit_density(np.ones((4, 2)), rng=rng)
    with pytest.raises(ConfigError, match="at least 1"):
        fit_density(rng.normal(size=(9, 2)), components=0, rng=rng)
