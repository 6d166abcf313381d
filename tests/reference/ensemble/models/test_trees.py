from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import (
    ExtraTreesRegressor,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeRegressor

from assize.base.errors import DataError
from assize.base.record_parts import from_parts, to_parts
from assize.reference._ensemble.models.trees import Trees


def data(count: int = 150, metrics: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    z = rng.normal(size=(count, metrics))
    return z, np.sin(z[:, 0]) + (z[:, 1] > 0) + 0.3 * rng.normal(size=count)


def new() -> np.ndarray:
    return np.random.default_rng(1).normal(size=(500, 5))


@pytest.mark.parametrize("kind", [RandomForestRegressor, ExtraTreesRegressor])
def test_a_forest_predicts_as_scikit_learn_s(kind: Any) -> None:
    z, y = data()
    fitted = kind(n_estimators=20, random_state=0).fit(z, y)
    found = Trees.of_sklearn(fitted.estimators_)
    assert found.predict(new()) == pytest.approx(fitted.predict(new()), abs=1e-12)


def test_one_tree_predicts_as_scikit_learn_s() -> None:
    z, y = data()
    fitted = DecisionTreeRegressor(random_state=0).fit(z, y)
    found = Trees.of_sklearn([fitted])
    assert found.predict(new()).tolist() == fitted.predict(new()).tolist()


def test_a_value_at_a_threshold_goes_where_scikit_learn_sends_it() -> None:
    z = np.array([[0.1], [0.1], [0.3], [0.3]])
    fitted = DecisionTreeRegressor().fit(z, [0.0, 0.0, 1.0, 1.0])
    edge = np.float64(fitted.tree_.threshold[0])
    asked = np.array([[np.nextafter(edge, 0)], [edge], [np.nextafter(edge, 1)], [edge + 1e-6]])
    found = Trees.of_sklearn([fitted])
    assert found.predict(asked).tolist() == fitted.predict(asked).tolist()


def test_it_is_read_back_as_it_was() -> None:
    z, y = data()
    fitted = RandomForestRegressor(n_estimators=5, random_state=0).fit(z, y)
    found = Trees.of_sklearn(fitted.estimators_)
    again = from_parts(Trees, *to_parts(found))
    assert again.predict(new()).tolist() == found.predict(new()).tolist()


@pytest.mark.parametrize(("name", "wrong"), [("left", 0), ("right", 10**6), ("feature", -2)])
def test_nodes_that_lead_back_or_out_are_refused(name: str, wrong: int) -> None:
    z, y = data()
    found = Trees.of_sklearn([DecisionTreeRegressor(max_depth=2).fit(z, y)])
    nodes = getattr(found, name).copy()
    nodes[0] = wrong
    with pytest.raises(DataError, match="do not hang together"):
        replace(found, **{name: nodes})
    with pytest.raises(DataError, match="differ in length"):
        replace(found, **{name: nodes[1:]})
    assert found.fits(5)
    feature = np.where(found.feature == 0, 9, found.feature)
    assert not replace(found, feature=feature).fits(9)


@pytest.mark.parametrize("roots", [[], [-1], [99]])
def test_roots_that_are_no_nodes_are_refused(roots: list[int]) -> None:
    z, y = data()
    found = Trees.of_sklearn([DecisionTreeRegressor(max_depth=2).fit(z, y)])
    with pytest.raises(DataError, match="do not hang together"):
        replace(found, roots=np.array(roots, np.int64))


def test_no_rows_have_no_predictions() -> None:
    z, y = data()
    found = Trees.of_sklearn([DecisionTreeRegressor(max_depth=2).fit(z, y)])
    assert found.predict(np.empty((0, 5))).shape == (0,)
