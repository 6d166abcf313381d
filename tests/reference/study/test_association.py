"""Which figure a metric's scale asks for, and what it is by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.study.examples import FIVE, NAN, column, data_of, ratings

from assize import stats
from assize.reference._ratings import Ratings, Unit
from assize.reference._study.association import (
    MetricFigures,
    associate,
    over_folds,
    statistic_of,
)
from assize.reference._study.data import Column
from assize.stats._arrays import IntArray

BINARY = (1.0, 5.0)
YES_NO = column([0, 1], "binary", (0.0, 1.0))


@pytest.mark.parametrize(
    ("metric", "people", "unit", "wanted"),
    [
        (column([1, 2]), ratings([1, 2], [2, 2], answers=FIVE), "ratings", "pearson"),
        (column([1, 2], "ordinal", FIVE), ratings([1, 2], [2, 2]), "ratings", "cramers_v"),
        (YES_NO, ratings([1, 2], [2, 3]), "ratings", "point_biserial"),
        (YES_NO, ratings([1, 5], answers=BINARY), "ratings", "phi"),
        # the mean of 1 and 5 is neither
        (YES_NO, ratings([1, 5], answers=BINARY), "items", "point_biserial"),
        (YES_NO, ratings([1], [5], answers=BINARY), "items", "phi"),
    ],
)
def test_the_figure_is_that_of_the_metrics_scale(metric, people, unit, wanted) -> None:  # type: ignore[no-untyped-def]
    assert statistic_of(metric, people, unit) == wanted


def measure(
    metric: Column, people: Ratings, unit: Unit = "items", fold: IntArray | None = None
) -> MetricFigures:
    return associate(metric, people, data_of(people, metric), unit, fold)


def test_the_figures_of_ratings_and_of_items_by_hand() -> None:
    # ratings: x 1 1 2 2 3 3, y 1 3 2 4 5 5; items: x 1 2 3, y 2 3 5
    people, metric = ratings([1, 3], [2, 4], [5, 5]), column([1, 2, 3])
    by_rating, by_item = measure(metric, people, "ratings"), measure(metric, people, "items")
    assert by_rating.figure.estimate == pytest.approx(6 / np.sqrt(4 * 40 / 3))
    assert by_item.figure.estimate == pytest.approx(3 / np.sqrt(2 * 14 / 3))


def test_a_likert_judge_gets_the_uncorrected_v_against_the_mode() -> None:
    modes = [1.0] * 6 + [5.0] * 6
    said = [1.0, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 1]
    people = ratings(*[[mode, mode, 3.0] for mode in modes], answers=FIVE)
    of = measure(column(said, "ordinal", FIVE), people)
    # counts [[5, 1], [1, 5]]: phi = (25 - 1) / 36
    assert of.figure.estimate == pytest.approx(2 / 3)
    assert of.figure.estimate == stats.cramers_v(said, modes, corrected=False).estimate


def test_phi_is_the_correlation_of_two_yes_no_columns_by_hand() -> None:
    # counts: yes & 5: 3, yes & 1: 1, no & 5: 1, no & 1: 3 -> phi = (9 - 1) / 16
    people = ratings(*[[5.0]] * 3, [1.0], [5.0], *[[1.0]] * 3, answers=BINARY)
    of = measure(column([1, 1, 1, 1, 0, 0, 0, 0], "binary", (0, 1)), people, "ratings")
    assert of.statistic == "phi"
    assert of.figure.estimate == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("metric", "people", "reason"),
    [
        (column([0.5, 0.5, 0.5]), ratings([1, 2], [2, 3], [3, 4]), "the metric is constant"),
        (column([0.1, 0.5, 0.9]), ratings([1, 1], [1, 1], [1, 1]), "the rating is constant"),
    ],
)
def test_what_is_constant_is_nan_with_its_reason(
    metric: Column, people: Ratings, reason: str
) -> None:
    of = measure(metric, people)
    assert np.isnan(of.figure.estimate)
    assert of.figure.reason == of.spearman.reason == reason


def test_the_standard_error_is_of_the_mean_of_the_folds() -> None:
    # of 0.2 0.4 0.6: deviation 0.2, over the root of 3
    assert over_folds(np.array([0.2, 0.4, NAN, 0.6])) == pytest.approx(0.2 / np.sqrt(3))
    assert np.isnan(over_folds(np.array([0.2, NAN])))


def test_each_fold_is_measured_by_itself() -> None:
    people = ratings(*[[float(y)] for y in (1, 2, 3, 1, 2, 3)])
    of = measure(column([1, 2, 3, 3, 2, 1]), people, fold=np.array([0, 0, 0, 1, 1, 1]))
    assert of.folds == pytest.approx([1.0, -1.0])
    assert of.standard_error == pytest.approx(1.0)
    assert of.figure.estimate == pytest.approx(0.0)


def test_ratings_of_a_conversation_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    latent = np.repeat(rng.normal(size=30), 10)
    people = ratings(*[[one] for one in latent + 0.1 * rng.normal(size=300)])
    shared = column((np.repeat(rng.normal(size=30), 10) + latent).tolist())
    alone = data_of(people, shared)
    together = data_of(people, shared, conversations=[f"c{at // 10}" for at in range(300)])
    widths = [
        np.ptp(associate(shared, people, data, "items", None).figure.interval)
        for data in (alone, together)
    ]
    assert widths[1] > 2 * widths[0]
