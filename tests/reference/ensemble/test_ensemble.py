from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.ensemble.made import metrics_table, sample, simulated

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Unscored
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.ensemble import Ensemble
from assize.reference._ensemble.explaining import explained
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.settings import Settings


@pytest.fixture(scope="module")
def ensemble() -> Ensemble:
    return learn(sample(240), Settings(model="ridge"))


def new() -> np.ndarray:
    return simulated(40, seed=5)[0]


def test_a_prediction_is_a_judgment_of_the_question_people_were_asked(ensemble: Ensemble) -> None:
    found = ensemble.predict(metrics_table(new()))
    row = found.rows()[0]
    assert (row.item, row.judge, row.question) == ("i0", "ensemble", "content")
    assert row.kind == "evaluator"
    assert row.signature == ensemble.signature
    assert found.questions["content"] == ensemble.question
    assert len(found) == 40


def test_what_people_would_say_lies_in_their_scale_and_in_its_interval(ensemble: Ensemble) -> None:
    rows = ensemble.predict(metrics_table(10 * new())).rows()
    scores = np.array([row.score for row in rows])
    low, high = np.array([(row.details or {})["interval"] for row in rows]).T
    assert (scores.min(), scores.max()) == (1.0, 5.0)
    assert ((low <= scores) & (scores <= high)).all()
    assert low.min() >= 1.0


def test_details_tell_the_interval(ensemble: Ensemble) -> None:
    details = ensemble.predict(metrics_table(new())).rows()[0].details or {}
    assert details["confidence"] == 0.9
    assert details["interval"][0] < details["interval"][1]


def test_without_a_metric_it_is_unscored_with_the_metric_named(ensemble: Ensemble) -> None:
    values = new()
    values[0, 1] = np.nan
    row = ensemble.predict(metrics_table(values)).rows()[0]
    assert row.score is None
    assert row.unscored is not None
    assert row.unscored.reason == "metrics"
    assert "1 of its metrics are missing: metrics:rouge1-recall" in row.unscored.message


def test_imputed_metrics_count_as_average_and_are_named(ensemble: Ensemble) -> None:
    imputing = replace(ensemble, on_missing="impute")
    values, at_mean = new(), new()
    values[0, 1] = np.nan
    at_mean[0, 1] = ensemble.fit.reading.mean[1]
    row = imputing.predict(metrics_table(values)).rows()[0]
    assert row.score == pytest.approx(ensemble.predict(metrics_table(at_mean)).rows()[0].score)
    assert (row.details or {})["imputed"] == ["metrics:rouge1-recall"]


def test_a_text_that_an_encoder_cannot_read_is_never_imputed(ensemble: Ensemble) -> None:
    table = metrics_table(new())
    first, *others = table.rows()
    unread = replace(first, score=None, unscored=Unscored("unreadable"))
    given = JudgmentTable.of([unread, *others], table.questions.values())
    row = replace(ensemble, on_missing="impute").predict(given).rows()[0]
    assert row.unscored is not None
    assert row.unscored.reason == "unreadable"
    assert first.question in row.unscored.message


def test_imputing_stops_where_more_than_half_is_missing(ensemble: Ensemble) -> None:
    values = new()
    values[0, :2] = np.nan
    row = replace(ensemble, on_missing="impute").predict(metrics_table(values)).rows()[0]
    assert row.unscored is not None


def test_a_column_that_is_not_there_at_all_is_refused(ensemble: Ensemble) -> None:
    with pytest.raises(
        DataError,
        match="reads metrics:length-ratio by metrics, and there are cosine by metrics, ",
    ):
        ensemble.predict(metrics_table(new()[:, :2]))


def test_what_is_explained_adds_up(ensemble: Ensemble) -> None:
    found = explained(ensemble, Columns.of(metrics_table(new())), ["i3", "i1"])
    assert [row.item for row in found.predictions] == ["i3", "i1"]
    assert "i3 by ensemble" in str(found)
    assert found.sentence == "What each metric adds to 2 predictions."


def test_explaining_an_unknown_item_is_refused(ensemble: Ensemble) -> None:
    with pytest.raises(ConfigError, match="item 'nobody' has no metrics"):
        ensemble.explain(metrics_table(new()), ["nobody"])


def test_unscored_items_are_counted_and_not_explained(ensemble: Ensemble) -> None:
    values = new()
    values[0, 1] = np.nan
    found = ensemble.explain(metrics_table(values))
    assert found.missing == (1, 40)


def test_the_signature_changes_with_any_number_of_the_model(ensemble: Ensemble) -> None:
    other = learn(sample(240, seed=1), Settings(model="ridge"))
    assert ensemble.signature != other.signature
    wider = replace(ensemble.intervals, confidence=0.8)
    assert replace(ensemble, intervals=wider).signature != ensemble.signature


def test_it_shows_held_out_figures_and_intervals(ensemble: Ensemble) -> None:
    shown = str(ensemble)
    assert "best single metric" in shown
    assert "90% intervals: prediction ±" in shown
    assert ensemble.signature in shown


def test_an_item_that_was_measured_twice_is_predicted_once(ensemble: Ensemble) -> None:
    once = metrics_table(new()[:1])
    found = ensemble.predict([*once, *once])
    assert [row.item for row in found] == ["i0"]
    assert found.rows()[0].score == ensemble.predict(once).rows()[0].score
