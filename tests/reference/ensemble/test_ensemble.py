from __future__ import annotations

from dataclasses import replace
from typing import Any

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

NEW = simulated(40, seed=5)[0]


@pytest.fixture(scope="module")
def ensemble() -> Ensemble:
    return learn(sample(240), Settings(model="ridge"))


def without(*metrics: int) -> JudgmentTable:
    """The new items' metrics, of which the first item lacks some."""
    values = NEW.copy()
    values[0, metrics] = np.nan
    return metrics_table(values)


def first_of(table: JudgmentTable) -> Any:
    return table.rows()[0]


def test_a_prediction_is_a_judgment_of_the_question_people_were_asked(ensemble: Ensemble) -> None:
    found = ensemble.predict(metrics_table(NEW))
    row = first_of(found)
    assert (row.item, row.judge, row.question) == ("i0", "ensemble", "content")
    assert (row.kind, row.signature) == ("evaluator", ensemble.signature)
    assert row.details["confidence"] == 0.9
    assert row.details["interval"][0] < row.details["interval"][1]
    assert found.questions["content"] == ensemble.question
    assert len(found) == 40


def test_what_people_would_say_lies_in_their_scale_and_in_its_interval(ensemble: Ensemble) -> None:
    rows = ensemble.predict(metrics_table(10 * NEW)).rows()
    scores = np.array([row.score for row in rows])
    low, high = np.array([(row.details or {})["interval"] for row in rows]).T
    assert (scores.min(), scores.max()) == (1.0, 5.0)
    assert ((low <= scores) & (scores <= high)).all()
    assert low.min() >= 1.0


@pytest.mark.parametrize(
    ("metrics", "on_missing", "message"),
    [
        ((1,), "unscored", "1 of its metrics are missing: metrics:rouge1-recall"),
        ((0, 1), "impute", "2 of its metrics are missing"),  # more than half
    ],
)
def test_without_a_metric_it_is_unscored_with_the_metric_named(
    ensemble: Ensemble, metrics: tuple[int, ...], on_missing: str, message: str
) -> None:
    way = replace(ensemble, on_missing=on_missing)  # type: ignore[arg-type]
    row = first_of(way.predict(without(*metrics)))
    assert row.score is None
    assert row.unscored.reason == "metrics"
    assert message in row.unscored.message


def test_imputed_metrics_count_as_average_and_are_named(ensemble: Ensemble) -> None:
    at_mean = NEW.copy()
    at_mean[0, 1] = ensemble.fit.reading.mean[1]
    row = first_of(replace(ensemble, on_missing="impute").predict(without(1)))
    assert row.score == pytest.approx(first_of(ensemble.predict(metrics_table(at_mean))).score)
    assert row.details["imputed"] == ["metrics:rouge1-recall"]


def test_a_text_that_an_encoder_cannot_read_is_never_imputed(ensemble: Ensemble) -> None:
    table = metrics_table(NEW)
    first, *others = table.rows()
    unread = replace(first, score=None, unscored=Unscored("unreadable"))
    given = JudgmentTable.of([unread, *others], table.questions.values())
    row = first_of(replace(ensemble, on_missing="impute").predict(given))
    assert row.unscored.reason == "unreadable"
    assert first.question in row.unscored.message


def test_a_column_or_an_item_that_is_not_there_at_all_is_refused(ensemble: Ensemble) -> None:
    absent = "reads metrics:length-ratio by metrics, and there are cosine by metrics, "
    with pytest.raises(DataError, match=absent):
        ensemble.predict(metrics_table(NEW[:, :2]))
    with pytest.raises(ConfigError, match="item 'nobody' has no metrics"):
        ensemble.explain(metrics_table(NEW), ["nobody"])


def test_explanations_are_of_the_items_named_and_count_the_unscored(ensemble: Ensemble) -> None:
    found = explained(ensemble, Columns.of(metrics_table(NEW)), ["i3", "i1"])
    assert [row.item for row in found.predictions] == ["i3", "i1"]
    assert "i3 by ensemble" in str(found)
    assert found.sentence == "What each metric adds to 2 predictions."
    assert ensemble.explain(without(1)).missing == (1, 40)


def test_the_signature_changes_with_any_number_of_the_model(ensemble: Ensemble) -> None:
    other = learn(sample(240, seed=1), Settings(model="ridge"))
    assert ensemble.signature != other.signature
    wider = replace(ensemble.intervals, confidence=0.8)
    assert replace(ensemble, intervals=wider).signature != ensemble.signature


def test_it_shows_held_out_figures_and_intervals(ensemble: Ensemble) -> None:
    for text in ("best single metric", "90% intervals: prediction ±", ensemble.signature):
        assert text in str(ensemble)


def test_an_item_that_was_measured_twice_is_predicted_once(ensemble: Ensemble) -> None:
    once = metrics_table(NEW[:1])
    (row,) = ensemble.predict([*once, *once])
    assert (row.item, row.score) == ("i0", first_of(ensemble.predict(once)).score)
