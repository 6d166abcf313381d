from __future__ import annotations

import numpy as np
import pytest

from assize.calibrate._hierarchical import laplace
from assize.calibrate._hierarchical.posterior import Posterior
from assize.calibrate._hierarchical.probit import Columns, Observed, fit_probit


def users(raters: int, rows: int, *, personal: bool) -> tuple[Posterior, np.ndarray]:
    """Thumbs of many users with few rows each, and the users' true levels."""
    rng = np.random.default_rng(0)
    level = rng.normal(0, 0.8, raters)
    rater = rng.integers(raters, size=rows)
    x = rng.normal(size=(rows, 3))
    y = (x @ [0.6, 0.0, -0.3] + level[rater] + rng.normal(size=rows) > 0.5).astype(np.int64)
    found = fit_probit([Observed(x, y, rater, 2)], Columns(3, own=personal), raters=raters)[0][0]
    return found, level


@pytest.mark.parametrize("personal", [True, False])
def test_sums_over_many_raters_are_those_over_each(
    monkeypatch: pytest.MonkeyPatch, personal: bool
) -> None:
    each, _ = users(60, 400, personal=personal)
    monkeypatch.setattr(laplace, "MANY", 10)
    monkeypatch.setattr(laplace, "FEW_CELLS", 1_000)
    monkeypatch.setattr(laplace, "CELLS", 100)
    together, _ = users(60, 400, personal=personal)
    assert together.mean == pytest.approx(each.mean, abs=1e-9)
    assert together.covariance == pytest.approx(each.covariance, abs=1e-9)


@pytest.mark.nightly("fits 3,000 users")
def test_the_levels_of_many_users_are_found() -> None:
    found, level = users(3_000, 30_000, personal=False)
    # With ten thumbs a user the Laplace approximation is known to find the variance too small.
    assert 0.45 < found.variances.levels + found.variances.thresholds < 0.7
    assert np.ptp(found.mean[:-1, 1:], axis=0).max() < 1e-12  # no user has slopes
    assert np.corrcoef(-found.mean[:-1, 0], level)[0, 1] > 0.8
