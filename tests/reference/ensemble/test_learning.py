from __future__ import annotations

import numpy as np
import pytest
from tests.reference.ensemble.made import metrics_table, ratings_table, sample, simulated

from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.fitting import SINGLE
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.sample import sample_of
from assize.reference._ensemble.settings import Settings
from assize.reference._ensemble.targets import targets_of

QUICK = Settings(model="ridge")


def test_the_held_out_figures_of_the_model_and_the_best_metric_stand_side_by_side() -> None:
    ridge, single = learn(sample(240), QUICK).cross_validated
    assert (ridge.model, single.model) == ("ridge", SINGLE)
    model = ridge.pearson
    assert model.estimate > single.pearson.estimate > 0.4
    assert model.interval[0] < model.estimate < model.interval[1]
    assert model.n == 240


def test_every_model_that_is_compared_has_a_row_and_every_fit_is_told() -> None:
    ticks: list[int] = []
    both = Settings(model="ridge", compared=("linear",))
    result = learn(sample(120), both, lambda: ticks.append(1))
    assert len(ticks) == 2 * 5
    assert [row.model for row in result.cross_validated] == ["ridge", "linear", SINGLE]
    assert "metrics:cosine (5 of 5 fits)" in result.table_notes["cross_validated"][1]


def test_intervals_hold_new_conversations_as_often_as_promised() -> None:
    found = learn(sample(400), QUICK)
    metrics, answers = simulated(800, seed=7)
    rows = found.predict(metrics_table(metrics)).rows()
    low, high = np.array([(row.details or {})["interval"] for row in rows]).T
    truth = answers.mean(axis=1)
    held = (low <= truth) & (truth <= high)
    assert held.mean() == pytest.approx(0.9, abs=0.03)


def test_several_corpora_are_standardised_and_measured_apart() -> None:
    metrics, answers = simulated(240)
    overall = Question("overall", kind="number", range=(0, 100))
    rows = [
        Judgment(f"i{at}", "r", "overall", score=float(20 * row.mean() - 20), kind="person")
        for at, row in enumerate(answers[120:], start=120)
    ]
    ratings = JudgmentTable.concat(
        [ratings_table(answers[:120]), JudgmentTable.of(rows, [overall])]
    )
    made = sample_of(
        Columns.of(metrics_table(metrics)),
        targets_of(ratings, ["content", "overall"]),
        {f"i{at}": f"c{at // 4}" for at in range(240)},
    )
    found = learn(made)
    assert found.about["model"] == "robust"
    assert found.about["standardised"]
    targets = [row.target for row in found.cross_validated if row.model == "robust"]
    assert targets == ["content", "overall"]
    assert found.question.id == "standardised-quality"
    assert any("deviations from each corpus's mean" in one for one in found.notes)


def test_predictions_do_not_depend_on_the_order_of_the_items() -> None:
    metrics, answers = simulated(100)
    order = np.random.default_rng(3).permutation(100)
    names = {f"i{at}": f"c{at // 4}" for at in range(100)}
    table, ratings = metrics_table(metrics), ratings_table(answers)
    mixed = JudgmentTable.of(
        [table.rows()[3 * at + one] for at in order for one in range(3)], table.questions.values()
    )
    first = learn(sample_of(Columns.of(table), targets_of(ratings, "content"), names), QUICK)
    other = learn(sample_of(Columns.of(mixed), targets_of(ratings, "content"), names), QUICK)
    assert [row.score for row in first.predict(table)] == pytest.approx(
        [row.score for row in other.predict(table)]
    )
