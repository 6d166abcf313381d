"""The figures: by hand, and against scipy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from assize.evaluator._measuring.figures import FIGURES, average, figures_of
from assize.evaluator._measuring.said import Said
from assize.evaluator._measuring.tasks import Task
from assize.stats._arrays import FloatArray

NAN = float("nan")


def task(truth: list[float] | FloatArray, level: str = "pair") -> Task:
    given = np.asarray(truth, dtype=float)
    units = tuple((str(at), None) for at in range(len(given)))
    return Task("s", "preference", level, units, given, np.arange(len(given)), "gold")


def said(values: list[float] | FloatArray, lean: list[float] | None = None) -> Said:
    given = np.asarray(values, dtype=float)
    return Said("j", "judges", "preference", given, given if lean is None else np.array(lean))


def test_pairs_with_ties_without_them_and_beyond_chance_by_hand() -> None:
    # gold    A  A   B  tie tie  A; the last one is not scored
    # said    A  tie B  tie A    -
    # with ties: 3 of 5 are right. Without: gold's ties and the unscored one go; of A, A, B the
    # signs of the leans are A, B, B: 2 of 3.
    # kappa: observed 3/5; by chance 2/5*2/5 (A) + 2/5*2/5 (tie) + 1/5*1/5 (B) = 9/25;
    # (0.6 - 0.36) / 0.64 = 0.375
    gold = task([1, 1, -1, 0, 0, 1])
    one = said([1, 0, -1, 0, 1, NAN], [2, -0.1, -2, 0.1, 2, NAN])
    found = figures_of(one, gold)
    assert found["with_tie"].estimate == pytest.approx(0.6)
    assert (found["with_tie"].n, found["with_tie"].unscored) == (5, 1)
    assert found["without_tie"].estimate == pytest.approx(2 / 3)
    assert (found["without_tie"].n, found["without_tie"].unscored) == (3, 1)
    assert found["kappa"].estimate == pytest.approx(0.375)
    assert "pearson" not in found


def test_who_leans_to_no_side_is_wrong_where_gold_is_decided() -> None:
    found = figures_of(said([0, 1], [0.0, 1.0]), task([1, 1]))
    assert found["without_tie"].estimate == 0.5


def test_ratings_are_scipys_correlations() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 80).astype(float)
    given = truth + rng.normal(0, 2, 80)
    given[:5] = NAN
    found = figures_of(said(given), task(truth, "conversation"))
    assert set(found) == {"pearson", "spearman"}
    for name, oracle in (("pearson", "pearsonr"), ("spearman", "spearmanr")):
        wanted = getattr(scipy_stats, oracle)(given[5:], truth[5:]).statistic
        assert found[name].estimate == pytest.approx(wanted)
        assert (found[name].n, found[name].unscored) == (75, 5)


def test_kappa_is_scikit_learns() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(4)
    truth, given = (rng.choice([-1.0, 0.0, 1.0], 200) for _ in range(2))
    found = figures_of(said(given), task(truth))["kappa"].estimate
    assert found == pytest.approx(metrics.cohen_kappa_score(given, truth))


def test_the_average_counts_each_dimension_alike() -> None:
    # 1 of 1 in one dimension and 1 of 3 in the other: the mean of 1 and 1/3
    parts = [
        (said([1, NAN, NAN]), task([1, 1, 1])),
        (said([1, -1, -1]), task([1, 1, 1])),
    ]
    assert average(parts).estimate == pytest.approx((1 + 1 / 3) / 2)


def test_every_figure_is_of_pairs_or_of_ratings() -> None:
    assert {name for name, one in FIGURES.items() if not one.paired} == {"pearson", "spearman"}
