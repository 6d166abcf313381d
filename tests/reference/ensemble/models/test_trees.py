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

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(150, 5))
Y = np.sin(Z[:, 0]) + (Z[:, 1] > 0) + 0.3 * RNG.normal(size=150)
NEW = np.random.default_rng(1).normal(size=(500, 5))
SMALL = Trees.of_sklearn([DecisionTreeRegressor(max_depth=2).fit(Z, Y)])


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(n_estimators=20, random_state=0),
        ExtraTreesRegressor(n_estimators=20, random_state=0),
        DecisionTreeRegressor(random_state=0),
    ],
)
def test_trees_predict_as_scikit_learn_s_and_are_read_back_as_they_were(model: Any) -> None:
    fitted = model.fit(Z, Y)
    found = Trees.of_sklearn(getattr(fitted, "estimators_", [fitted]))
    assert found.predict(NEW) == pytest.approx(fitted.predict(NEW), abs=1e-12)
    again = from_parts(Trees, *to_parts(found))
    assert again.predict(NEW).tolist() == found.predict(NEW).tolist()


def test_a_value_at_a_threshold_goes_where_scikit_learn_sends_it() -> None:
    z = np.array([[0.1], [0.1], [0.3], [0.3]])
    fitted = DecisionTreeRegressor().fit(z, [0.0, 0.0, 1.0, 1.0])
    edge = np.float64(fitted.tree_.threshold[0])
    asked = np.array([[np.nextafter(edge, 0)], [edge], [np.nextafter(edge, 1)], [edge + 1e-6]])
    found = Trees.of_sklearn([fitted])
    assert found.predict(asked).tolist() == fitted.predict(asked).tolist()


@pytest.mark.parametrize(("name", "wrong"), [("left", 0), ("right", 10**6), ("feature", -2)])
def test_nodes_that_lead_back_or_out_are_refused(name: str, wrong: int) -> None:
    nodes = getattr(SMALL, name).copy()
    nodes[0] = wrong
    with pytest.raises(DataError, match="do not hang together"):
        replace(SMALL, **{name: nodes})
    with pytest.raises(DataError, match="differ in length"):
        replace(SMALL, **{name: nodes[1:]})
    assert SMALL.fits(5)
    feature = np.where(SMALL.feature == 0, 9, SMALL.feature)
    assert not replace(SMALL, feature=feature).fits(9)


@pytest.mark.parametrize("roots", [[], [-1], [99]])
def test_roots_that_are_no_nodes_are_refused(roots: list[int]) -> None:
    with pytest.raises(DataError, match="do not hang together"):
        replace(SMALL, roots=np.array(roots, np.int64))


def test_no_rows_have_no_predictions() -> None:
    assert SMALL.predict(np.empty((0, 5))).shape == (0,)
