"""Figures and losses by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.results import to_json
from assize.stats import Estimate
from assize.stats._studies import LOSSES, MEASURES, Figure, Predictions, Truth, counts, figures
from assize.stats._studies.measures import FLOOR

N = 40
Y = np.arange(N) % 4
GOLD = (Y + 1).astype(np.float64)
SCALE = (1.0, 2.0, 3.0, 4.0)
TRUTH = Truth(GOLD, np.arange(N) // 2, Y, SCALE)
ALL = np.ones(N, dtype=bool)


def test_figures_are_means_over_the_seeds() -> None:
    found = figures(Predictions(np.array([GOLD + 0.5, GOLD - 1.5])), TRUTH, ALL)
    assert found["rmse"].estimate == pytest.approx(1.0)
    assert found["rmse"].spread == pytest.approx(np.std([0.5, 1.5], ddof=1))
    assert found["pearson"].estimate == pytest.approx(1.0)
    assert found["log_loss"].reason == "the method gives no probabilities"
    assert list(found) == list(MEASURES)


def test_a_figures_interval_is_the_mean_of_the_seeds_intervals() -> None:
    each = [Estimate(1.0, (0.0, 2.0), 9, 1), Estimate(2.0, (1.5, 2.5), 9, 1, "few")]
    found = Figure.over_seeds(each)
    assert found == Figure(1.5, (0.75, 2.25), 9, 1, "few", spread=float(np.std([1, 2], ddof=1)))
    assert to_json(found)["interval"] == [0.75, 2.25]
    assert np.isnan(Figure.over_seeds(each[:1]).spread)
    assert to_json(Figure.over_seeds(each[:1]))["spread"] is None


def test_a_certain_and_wrong_answer_costs_a_bounded_log_loss() -> None:
    p = np.eye(4)[(Y + 1) % 4]
    wrong = Predictions.of(np.array([p, p]), SCALE)
    assert LOSSES["log loss"].each(wrong, TRUTH) == pytest.approx(-np.log(FLOOR))
    assert figures(wrong, TRUTH, ALL)["log_loss"].estimate == pytest.approx(-np.log(FLOOR))


def test_losses_are_those_of_each_row_mean_over_the_seeds() -> None:
    p = np.array([np.full((N, 4), 0.25), np.eye(4)[Y]])
    found = Predictions.of(p, SCALE)
    # uniform: mean 2.5, -ln 1/4; certain: right, 0
    assert LOSSES["squared error"].each(found, TRUTH) == pytest.approx((2.5 - GOLD) ** 2 / 2)
    assert LOSSES["log loss"].each(found, TRUTH) == pytest.approx(np.log(4) / 2)
    assert LOSSES["log loss"].each(Predictions(found.value), TRUTH) is None


def test_rows_without_a_prediction_are_unscored_and_those_without_a_truth_left_out() -> None:
    value = np.where(np.arange(N) < 5, np.nan, GOLD)
    found = figures(Predictions(value[None]), TRUTH, ALL)
    assert counts(found) == (N - 5, 5)
    gaps = Truth(np.where(np.arange(N) < 8, np.nan, GOLD), TRUTH.clusters, Y, SCALE)
    assert counts(figures(Predictions(value[None]), gaps, ALL)) == (N - 8, 0)
    assert gaps.take(gaps.known).values.tolist() == GOLD[8:].tolist()


def test_a_score_on_its_own_scale_has_correlations_only() -> None:
    score = Predictions(np.asarray(100 * GOLD[None]), only_order=True)
    found = figures(score, TRUTH, ALL)
    assert found["rmse"].reason == "the scale of the score is its own"
    assert found["spearman"].estimate == pytest.approx(1)
    assert LOSSES["squared error"].each(score, TRUTH) is None


def test_answers_without_an_order_have_the_log_loss_alone() -> None:
    truth = Truth(GOLD, TRUTH.clusters, Y, SCALE, ordered=False)
    p = np.full((1, N, 4), 0.25)
    found = figures(Predictions.of(p, SCALE), truth, ALL)
    assert [name for name, one in found.items() if not np.isnan(one.estimate)] == ["log_loss"]
    assert found["kendall"].reason == "the answers are not ordered"
    assert found["log_loss"].estimate == pytest.approx(np.log(4))
    assert counts(found) == (N, 0)
    assert LOSSES["squared error"].each(Predictions.of(p, SCALE), truth) is None


@given(st.permutations(range(N)), st.integers(0, 99))
def test_the_order_of_the_rows_changes_nothing(order: list[int], seed: int) -> None:
    value = GOLD + np.random.default_rng(seed).normal(size=(2, N))
    one = figures(Predictions(value), TRUTH, ALL)
    two = figures(Predictions(value[:, order]), TRUTH.take(np.array(order)), ALL)
    for name in ("rmse", "pearson", "spearman", "kendall"):
        assert one[name].estimate == pytest.approx(two[name].estimate)
        assert one[name].interval == pytest.approx(two[name].interval)
