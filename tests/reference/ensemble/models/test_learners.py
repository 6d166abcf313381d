from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor

from assize.base.errors import MissingExtra
from assize.reference._ensemble.examples import Examples
from assize.reference._ensemble.models.learners import LEARNERS
from assize.reference._ensemble.models.model import MODELS, Model


def rows(seed: int = 0) -> Examples:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(120, 6))
    y = z[:, 0] + 0.5 * np.abs(z[:, 1]) + 0.3 * rng.normal(size=120)
    alone = np.zeros(120, dtype=np.int64)
    standardised = (y - y.mean()) / y.std()
    return Examples(z, standardised, np.arange(120) // 3, alone, np.ones(120), seed)


@pytest.mark.parametrize("name", LEARNERS)
def test_each_learner_makes_a_model_that_beats_the_mean_and_is_the_same_again(name: str) -> None:
    given = rows()
    made: Model = LEARNERS[name].fit(given)
    assert made.kind in MODELS
    assert (made.fits(6), made.fits(5)) == (True, False)
    predicted = made.predict(given.metrics)
    assert np.corrcoef(predicted, given.target)[0, 1] > 0.7
    assert LEARNERS[name].fit(rows()).predict(given.metrics).tolist() == predicted.tolist()


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("paper-svm", SVR()),
        ("paper-forest", RandomForestRegressor(random_state=0)),
        ("paper-tree", DecisionTreeRegressor(random_state=0)),
    ],
)
def test_the_paper_s_are_scikit_learn_s_as_they_come(name: str, known: Any) -> None:
    given, z = rows(), rows(1).metrics
    assert LEARNERS[name].raw  # the target stays as it is
    said = LEARNERS[name].fit(given).predict(z)
    assert said == pytest.approx(known.fit(given.metrics, given.target).predict(z), abs=1e-10)


def test_a_blend_is_the_mean_of_its_members() -> None:
    given, z = rows(), rows(1).metrics
    said = LEARNERS["blend"].fit(given).predict(z)
    members = [LEARNERS[name].fit(given).predict(z) for name in ("ridge", "svm", "extra-trees")]
    assert said == pytest.approx(np.mean(members, axis=0), abs=1e-12)


def test_without_scikit_learn_the_error_names_what_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return inner(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r"scikit-learn, .*'\.\[train\]'"):
        LEARNERS["extra-trees"].fit(rows())


def test_ridge_and_least_squares_need_no_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "assize.reference._ensemble.models.learners._sklearn",
        lambda what: pytest.fail("it was asked for"),
    )
    for name in ("ridge", "linear"):
        LEARNERS[name].fit(rows())
