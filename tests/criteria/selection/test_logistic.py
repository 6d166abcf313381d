"""Sparse logistic regression, held to scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from tests.criteria.selection.planted import planted

from assize.criteria.selection import Budget
from assize.criteria.selection.logistic import entered, fitted, standardised


def test_weights_are_those_of_scikit_learn_where_none_would_be_negative() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    pool, true = planted(0)
    columns = standardised(pool.scores[:, sorted(true)])
    target = np.where(pool.good, 1.0, -1.0)
    n, penalty = len(target), 0.02
    weights, _ = fitted(columns, target, np.full(n, 1 / n), penalty, np.zeros(20), 0.0)
    other = linear.LogisticRegression(
        l1_ratio=1.0, solver="saga", C=1 / (penalty * n), tol=1e-8, max_iter=20_000
    ).fit(columns, pool.good)
    assert (other.coef_ >= 0).all()
    np.testing.assert_allclose(weights, other.coef_[0], atol=2e-3)


def test_planted_criteria_enter_first() -> None:
    pool, true = planted(1)
    order = entered(pool, Budget())
    first = set(np.argsort(order)[:15].tolist())
    assert len(first & true) >= 14


def test_a_criterion_that_never_varies_never_enters() -> None:
    pool, _ = planted(1, criteria=24)
    pool.scores[:, 3] = 5.0
    assert np.isinf(entered(pool, Budget(12, 12))[3])
