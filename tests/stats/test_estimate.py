"""The records of all statistics: degenerate input gives NaN with a reason, and so does JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from assize import stats
from assize.stats import Estimate, Interval
from assize.stats._estimate import describe, generator_state, missing

NAN = float("nan")
COLUMNS: dict[str, tuple[list[float], list[float]]] = {
    "empty": ([], []),
    "one row": ([1.0], [1.0]),
    "all missing on one side": ([NAN] * 5, [1.0] * 5),
    "constant and equal": ([1.0] * 5, [1.0] * 5),
    "one side constant": ([1.0, 2, 3, 4, 5], [2.0] * 5),
    "one row differs": ([1.0, 1, 1, 1, 2], [1.0, 2, 1, 1, 1]),
    "binary": ([0.0, 1, 0, 1, 1, 0], [0.0, 1, 1, 1, 0, 0]),
    "far from 0": ([1e15, 1e15 + 1, 1e15 + 2, 1e15 + 4], [1.0, 2, 3, 5]),
    "tiny": ([1e-140, 2e-140, 4e-140], [1e-140, 3e-140, 2e-140]),
}
OF_TWO: dict[str, Callable[..., Estimate]] = {
    "pearson": stats.pearson,
    "spearman": stats.spearman,
    "kendall": stats.kendall,
    "cramers_v": stats.cramers_v,
    "rmse": stats.rmse,
    "mae": stats.mae,
    "cohen_kappa": stats.cohen_kappa,
    "difference": partial(stats.difference, paired=True),
    "alpha": lambda x, y, **more: stats.alpha([x, y], level="ordinal", **more),
    "interval alpha": lambda x, y, **more: stats.alpha([x, y], level="interval", **more),
    "fleiss_kappa": lambda x, y, **more: stats.fleiss_kappa([x, y], **more),
    "raw_agreement": lambda x, y, **more: stats.raw_agreement([x, y], **more),
}


@pytest.mark.parametrize("method", ["jackknife", "percentile"])
@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("name", OF_TWO)
def test_a_nan_has_a_reason(name: str, columns: tuple[Any, Any], method: Any) -> None:
    result = OF_TWO[name](*columns, interval=Interval(method, resamples=40))
    low, high = result.interval
    if np.isnan(result.estimate) or np.isnan(low):
        assert result.reason
    else:
        assert low <= high
        assert result.reason is None
    assert result.signature
    assert len(columns[0]) in (result.n + result.unscored, 0)


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_tests_and_comparisons_do_not_break(columns: tuple[Any, Any]) -> None:
    x, y = columns
    rng = np.random.default_rng(0)
    for measure in ("pearson", "spearman", "kendall", "kappa", "accuracy", "mae", "rmse"):
        found = stats.compare(x, y, y, measure=measure, permutations=20, rng=rng)
        assert np.isnan(found.test.p_value) == (found.test.reason is not None)
    test = stats.sign_flip(x, permutations=20, rng=rng)
    assert np.isnan(test.p_value) == (test.reason is not None)
    powered = stats.ppi_mean(x, y).powered
    assert np.isnan(powered.interval[0]) == (powered.reason is not None)
    stats.pairwise_accuracy(x, y)


def test_a_setting_that_is_none_is_left_out_of_the_method() -> None:
    assert describe("alpha", 2, "nominal", None, 0) == "alpha|v2|nominal|0"


def test_a_generator_is_told_by_where_it_stands() -> None:
    first, second, third = (np.random.default_rng(seed) for seed in (1, 1, 2))
    assert generator_state(first) == generator_state(second) != generator_state(third)
    first.random()
    assert generator_state(first) != generator_state(second)


def test_a_missing_estimate_has_its_reason_and_the_methods_signature() -> None:
    one, other = missing("mean", 1, "no values", unscored=3), missing("mean", 2, "no values")
    assert np.isnan([one.estimate, *one.interval]).all()
    assert (one.reason, one.unscored, one.method) == ("no values", 3, "mean|v1")
    assert one.signature != other.signature
