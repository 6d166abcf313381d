from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from tests.reference.ensemble.made import metrics_table, ratings_table, sample

from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.examples import Examples
from assize.reference._ensemble.fitting import (
    Reading,
    correlations,
    cross_validate,
    fit_best_metric,
    fit_examples,
)
from assize.reference._ensemble.sample import sample_of
from assize.reference._ensemble.targets import targets_of


def test_metrics_are_read_in_deviations_from_their_mean() -> None:
    values = np.array([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]])
    reading = Reading.of(values, np.ones(3))
    assert reading.mean.tolist() == [2.0, 5.0]
    assert reading.scale.tolist() == [1.0, 1.0]  # a metric that never changes stays as it is
    assert reading(values)[:, 0].tolist() == [-1.0, 1.0, 0.0]  # NaN stands at the mean


def test_weights_move_the_mean() -> None:
    reading = Reading.of(np.array([[0.0], [4.0]]), np.array([3.0, 1.0]))
    assert reading.mean.tolist() == [1.0]
    assert reading.scale.tolist() == [pytest.approx(np.sqrt(3))]


def test_correlations_are_pearson_s_and_0_where_there_is_none() -> None:
    rng = np.random.default_rng(0)
    values, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    values[:, 2] = 1.0
    values[:5, 1] = np.nan
    found = correlations(values, y)
    assert found[0] == pytest.approx(np.corrcoef(values[:, 0], y)[0, 1])
    assert found[1] == pytest.approx(np.corrcoef(values[5:, 1], y[5:])[0, 1])
    assert found[2] == 0.0


def test_the_prediction_does_not_depend_on_the_unit_of_a_metric_or_of_the_target() -> None:
    made = sample(120)
    given = made.examples(np.arange(120))
    first = fit_examples(given, "blend")
    values = given.metrics * [10.0, 0.1, 3.0] + 7
    other = fit_examples(replace(given, metrics=values, target=2 * given.target - 5), "blend")
    said = other.predict(made.values * [10.0, 0.1, 3.0] + 7)
    assert said == pytest.approx(2 * first.predict(made.values) - 5, abs=1e-6)


def test_a_known_sum_of_metrics_is_recovered() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 3)) * [1.0, 5.0, 0.2] + [3.0, 0.0, 1.0]
    y = 2 + values @ [1.0, -0.4, 3.0]
    rows, alone = np.arange(200), np.zeros(200, dtype=np.int64)
    fit = fit_examples(Examples(values, y, rows, alone, np.ones(200)), "linear")
    assert fit.predict(values) == pytest.approx(y)
    assert fit.average == pytest.approx(y.mean())


def test_contributions_and_the_average_add_up_to_the_prediction() -> None:
    made = sample(120)
    fit = fit_examples(made.examples(np.arange(120)), "blend")
    found = fit.average + fit.contributions(made.values[:5]).sum(axis=1)
    assert found == pytest.approx(fit.predict(made.values[:5]))


def test_a_row_an_annotation_is_scikit_learn_s_on_every_annotation() -> None:
    made = sample(120)
    fit = fit_examples(made.examples(np.arange(120), annotations=True), "paper-forest")
    place, rating = made.targets.annotations
    z = fit.reading(made.values)
    known = RandomForestRegressor(random_state=0).fit(z[place], rating)
    assert fit.predict(made.values) == pytest.approx(known.predict(z), abs=1e-10)


def test_every_item_is_predicted_by_a_fit_that_has_not_seen_its_conversation() -> None:
    """Metrics name the conversation and conversations differ: seen ones would be foretold."""
    rng = np.random.default_rng(0)
    owner = np.repeat(np.arange(60), 4)
    metrics = np.column_stack([owner, (owner * 37) % 61, rng.normal(size=240)]).astype(float)
    answers = np.clip(np.round(3 + rng.normal(0, 1.5, size=60)), 1, 5)[owner][:, None]
    made = sample_of(
        Columns.of(metrics_table(metrics)),
        targets_of(ratings_table(answers), "content"),
        {f"i{at}": f"c{one}" for at, one in enumerate(owner)},
    )
    held = cross_validate(made, ["extra-trees"]).predicted["extra-trees"]
    seen = fit_examples(made.examples(np.arange(240)), "extra-trees").predict(made.values)
    assert np.corrcoef(seen, made.targets.value)[0, 1] > 0.8
    assert abs(np.corrcoef(held, made.targets.value)[0, 1]) < 0.35


def test_the_best_metric_may_go_the_other_way() -> None:
    made = sample(120)
    made.values[:, 0] *= -1
    best = fit_best_metric(made.examples(np.arange(80)))
    assert best.column == 0
    held = np.arange(80, 120)
    assert np.corrcoef(best.predict(made.values[held]), made.targets.value[held])[0, 1] > 0.3


def test_without_a_metric_that_tells_anything_there_is_no_best_one() -> None:
    alone = np.zeros(9, dtype=np.int64)
    rows = Examples(np.ones((9, 2)), np.arange(9.0), np.arange(9), alone, np.ones(9))
    assert np.isnan(fit_best_metric(rows).predict(np.ones((3, 2)))).all()


def test_each_seed_deals_other_folds() -> None:
    first, second = (cross_validate(sample(120), ["linear"], seed=seed) for seed in (0, 1))
    assert (first.fold != second.fold).any()
    assert not np.isnan(first.predicted["linear"]).any()
