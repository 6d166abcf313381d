from __future__ import annotations

import numpy as np
import pytest
from tests.calibrate.active.conftest import IDLE, MAIN, TWIN

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.calibrate import features_of
from assize.calibrate._active.adaptive_rubric import start
from assize.calibrate._active.impute_answers import AnswerImputer, fit_imputer
from assize.calibrate._data.features import Features
from assize.judgments import JudgmentTable


def test_draws_are_distributions_that_leave_what_is_known(features: Features) -> None:
    imputer = fit_imputer(features)
    x = start(features.x[0], features.columns)  # NA on idle: known before anything is asked
    x[features.columns[MAIN]] = features.x[0, features.columns[MAIN]]
    drawn = imputer.draw(x, 50, np.random.default_rng(0))
    assert not np.isnan(drawn).any()
    assert (drawn[:, features.columns[MAIN]] == x[features.columns[MAIN]]).all()
    assert (drawn[:, features.columns[IDLE]] == 0).all()
    twin = drawn[:, features.columns[TWIN]]
    assert twin.sum(axis=1) == pytest.approx(0.95)
    assert (twin >= 0).all()


def test_conditional_draws_have_the_mean_and_spread_of_the_normal() -> None:
    # two standard normal scores with correlation 0.6: given the first is 2, the second
    # has mean 1.2 and variance 1 - 0.36
    blocks = tuple(
        features_of(JudgmentTable.of([Judgment("i", "m", name, score=0.0)])).blocks[0]
        for name in ("a", "b")
    )
    imputer = AnswerImputer(blocks, np.zeros(2), np.array([[1, 0.6], [0.6, 1]]), np.ones(2))
    drawn = imputer.draw(np.array([2.0, np.nan]), 20_000, np.random.default_rng(0))[:, 1]
    assert drawn.mean() == pytest.approx(1.2, abs=0.02)
    assert drawn.var() == pytest.approx(0.64, abs=0.02)


def test_few_items_teach_nothing(features: Features) -> None:
    with pytest.raises(DataError, match="5 items are too few"):
        fit_imputer(features.take(np.arange(5)))
