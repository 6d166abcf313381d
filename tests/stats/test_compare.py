"""Two judges against gold."""

from __future__ import annotations

import numpy as np
import pytest

from assize import stats
from assize.base.errors import DataError
from assize.stats import Interval, compare
from assize.stats._compare import Measure

MEASURES: list[Measure] = ["pearson", "spearman", "kendall", "kappa", "accuracy", "mae", "rmse"]


def judges(n: int = 60, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A good judge, a bad one, and gold, on a scale of five answers."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 6, n).astype(float)
    good = np.clip(gold + rng.integers(-1, 2, n), 1, 5)
    bad = np.where(rng.random(n) < 0.3, gold, rng.integers(1, 6, n)).astype(float)
    return good, bad, gold


@pytest.mark.parametrize("measure", MEASURES)
def test_each_judges_figure_is_the_statistics_own(measure: Measure) -> None:
    good, bad, gold = judges()
    alone = {
        "pearson": stats.pearson,
        "spearman": stats.spearman,
        "kendall": stats.kendall,
        "kappa": stats.cohen_kappa,
        "mae": stats.mae,
        "rmse": stats.rmse,
        "accuracy": lambda x, y: stats.raw_agreement(np.stack([x, y])),
    }[measure]
    found = compare(
        good, bad, gold, measure=measure, permutations=200, rng=np.random.default_rng(0)
    )
    assert found.first.estimate == pytest.approx(alone(good, gold).estimate)  # type: ignore[operator]
    assert found.second.estimate == pytest.approx(alone(bad, gold).estimate)  # type: ignore[operator]
    gap = found.first.estimate - found.second.estimate
    assert (found.difference.estimate, found.test.statistic) == pytest.approx((gap, gap))
    assert found.difference.interval[0] < gap < found.difference.interval[1]


@pytest.mark.parametrize("measure", MEASURES)
def test_exchanging_the_judges_turns_the_sign(measure: Measure) -> None:
    good, bad, gold = judges(9)
    one = compare(good, bad, gold, measure=measure, rng=np.random.default_rng(0))
    two = compare(bad, good, gold, measure=measure, rng=np.random.default_rng(0))
    assert one.test.exact
    assert two.test.p_value == pytest.approx(one.test.p_value)
    assert two.difference.estimate == pytest.approx(-one.difference.estimate)
    assert two.difference.interval == pytest.approx([-end for end in one.difference.interval[::-1]])


def test_the_better_judge_is_named_and_smaller_errors_are_better() -> None:
    good, bad, gold = judges(200)
    for measure in ("spearman", "mae"):
        found = compare(good, bad, gold, measure=measure, rng=np.random.default_rng(0))
        assert found.better == "first"
    same = compare(good, good, gold, rng=np.random.default_rng(0))
    assert (same.better, same.test.p_value) == (None, 1)


def test_clusters_are_the_unit() -> None:
    good, bad, gold = judges(30)
    copied = [np.repeat(column, 5) for column in (good, bad, gold)]
    alone = compare(good, bad, gold, measure="mae", rng=np.random.default_rng(0))
    grouped = compare(
        *copied, measure="mae", clusters=np.repeat(np.arange(30), 5), rng=np.random.default_rng(0)
    )
    assert grouped.difference.interval == pytest.approx(alone.difference.interval)
    assert grouped.difference.clusters == grouped.test.clusters == 30


def test_rows_without_all_three_are_unscored() -> None:
    good, bad, gold = judges()
    good[0] = bad[1] = gold[2] = np.nan
    found = compare(good, bad, gold, rng=np.random.default_rng(0), permutations=50)
    assert (found.difference.n, found.difference.unscored) == (57, 3)


def test_the_bootstrap_can_make_the_intervals() -> None:
    good, bad, gold = judges()
    how = Interval("percentile", resamples=500)
    found = compare(good, bad, gold, interval=how, permutations=50, rng=np.random.default_rng(0))
    exact = compare(good, bad, gold, permutations=50, rng=np.random.default_rng(0))
    assert found.difference.interval == pytest.approx(exact.difference.interval, abs=0.1)


def test_a_constant_judge_is_nan_with_a_reason_and_an_unknown_measure_is_named() -> None:
    good, _, gold = judges()
    found = compare(good, np.ones(60), gold, rng=np.random.default_rng(0))
    assert found.test.reason == found.difference.reason == "`second` is constant"
    assert found.better is None
    with pytest.raises(DataError, match="`measure` must be one of pearson"):
        compare([1], [1], [1], measure="f1", rng=np.random.default_rng(0))  # type: ignore[arg-type]
