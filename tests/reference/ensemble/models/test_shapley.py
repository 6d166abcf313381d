from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestRegressor

from assize.reference._ensemble.models.shapley import sampled_contributions
from assize.reference._ensemble.models.trees import Trees

METRICS = 4


def by_definition(predict: Callable[[np.ndarray], np.ndarray], row: np.ndarray) -> np.ndarray:
    """Shapley (1953): each metric's mean addition over all groups of the others."""
    count = len(row)

    def worth(group: tuple[int, ...]) -> float:
        z = np.zeros((1, count))
        z[0, list(group)] = row[list(group)]
        return float(predict(z)[0])

    found = np.zeros(count)
    for metric in range(count):
        others = [one for one in range(count) if one != metric]
        for size in range(count):
            share = factorial(size) * factorial(count - size - 1) / factorial(count)
            for group in combinations(others, size):
                found[metric] += share * (worth((*group, metric)) - worth(group))
    return found


def forest(seed: int) -> Trees:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(60, METRICS))
    y = z[:, 0] * z[:, 1] + np.abs(z[:, 2])
    fitted = RandomForestRegressor(n_estimators=4, random_state=seed).fit(z, y)
    return Trees.of_sklearn(fitted.estimators_)


FORESTS = [forest(seed) for seed in range(3)]


def test_they_come_near_the_shapley_values_of_their_definition() -> None:
    model, rng = forest(0), np.random.default_rng(0)
    z = np.random.default_rng(1).normal(size=(5, METRICS))
    found = sampled_contributions(model.predict, z, rng, orders=400)
    exact = np.array([by_definition(model.predict, row) for row in z])
    assert found == pytest.approx(exact, abs=0.03)


@given(seed=st.integers(0, 20), row=st.lists(st.floats(-3, 3), min_size=METRICS, max_size=METRICS))
def test_they_add_up_to_the_prediction_less_the_average(seed: int, row: list[float]) -> None:
    model = FORESTS[seed % 3]
    z = np.array([row])
    away = model.predict(z) - model.predict(np.zeros((1, METRICS)))
    found = sampled_contributions(model.predict, z, np.random.default_rng(seed), orders=3)
    assert found.sum(axis=1) == pytest.approx(away, abs=1e-10)


def test_those_of_a_sum_are_exact_from_any_order() -> None:
    weights = np.array([1.0, -2.0, 0.5, 0.0])
    z = np.random.default_rng(1).normal(size=(5, METRICS))
    rng = np.random.default_rng(0)
    sampled = sampled_contributions(lambda rows: rows @ weights, z, rng, orders=1)
    assert sampled == pytest.approx(z * weights, abs=1e-12)


def test_a_row_has_the_same_values_whatever_stands_beside_it() -> None:
    z = np.random.default_rng(1).normal(size=(3, METRICS))
    every, alone = (
        sampled_contributions(FORESTS[0].predict, rows, np.random.default_rng(5), orders=4)
        for rows in (z, z[1:2])
    )
    assert every[1].tolist() == alone[0].tolist()
