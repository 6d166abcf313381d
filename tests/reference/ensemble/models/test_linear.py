from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge

from assize.reference._ensemble.models.linear import PENALTIES, fit_linear, fit_ridge


def data(seed: int = 0, count: int = 80, metrics: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(count, metrics))
    return z, z @ rng.normal(size=metrics) + rng.normal(size=count) + 2


@pytest.mark.parametrize("weighted", [False, True])
def test_least_squares_are_scikit_learn_s(weighted: bool) -> None:
    z, y = data()
    weights = np.random.default_rng(1).uniform(0.2, 2, len(y)) if weighted else np.ones(len(y))
    known = LinearRegression().fit(z, y, weights)
    found = fit_linear(z, y, weights)
    assert found.coefficients == pytest.approx(known.coef_, abs=1e-10)
    assert found.intercept == pytest.approx(known.intercept_, abs=1e-10)


def test_least_squares_of_two_equal_metrics_share_the_coefficient() -> None:
    z, y = data()
    z[:, 1] = z[:, 0]
    found = fit_linear(z, y, np.ones(len(y)))
    assert found.coefficients[0] == pytest.approx(found.coefficients[1])


def test_ridge_is_scikit_learn_s_with_the_penalty_chosen() -> None:
    z, y = data()
    weights = np.random.default_rng(1).uniform(0.2, 2, len(y))
    found, penalty = fit_ridge(z, y, weights, np.arange(len(y)) % 5)
    known = Ridge(penalty).fit(z, y, weights)
    assert found.coefficients == pytest.approx(known.coef_, abs=1e-9)
    assert found.intercept == pytest.approx(known.intercept_, abs=1e-9)


def test_the_penalty_is_the_one_that_predicts_held_out_folds_best() -> None:
    z, y = data(count=40)
    fold = np.arange(len(y)) % 4
    errors = []
    for penalty in PENALTIES:
        said = np.empty(len(y))
        for one in range(4):
            said[fold == one] = (
                Ridge(penalty).fit(z[fold != one], y[fold != one]).predict(z[fold == one])
            )
        errors.append(((said - y) ** 2).sum())
    assert fit_ridge(z, y, np.ones(len(y)), fold)[1] == PENALTIES[int(np.argmin(errors))]
