from __future__ import annotations

import numpy as np
import pytest
from tests.reference.ensemble.made import metrics_table

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import PAPER, Columns, Source, named

LIKERT = Question("content", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))


def said(judge: str, item: str, question: str = "content", **given: object) -> Judgment:
    kind = "metric" if judge.startswith("metrics") else "model"
    return Judgment(item, judge, question, kind=kind, **given)  # type: ignore[arg-type]


def columns(*rows: Judgment) -> Columns:
    return Columns.of(JudgmentTable.of(rows, [LIKERT]))


def test_a_column_is_a_judge_without_its_model_and_a_question() -> None:
    found = columns(
        said("equivalence@openai:a", "x", answer="2"), said("metrics", "x", "cosine", score=0.5)
    )
    assert found.names == ("equivalence:content", "metrics:cosine")
    assert found.values.tolist() == [[2.0, 0.5]]


def test_two_models_of_one_judge_are_two_columns() -> None:
    found = columns(said("rate@a:x", "x", answer="2"), said("rate@a:y", "x", answer="3"))
    assert found.names == ("rate@a:x:content", "rate@a:y:content")


def test_repeats_count_as_their_mean() -> None:
    found = columns(said("rate@a:x", "x", answer="1"), said("rate@a:x", "x", answer="2", repeat=1))
    assert found.values.tolist() == [[1.5]]


def test_what_is_unscored_lacks_a_number_and_what_does_not_apply_does_not() -> None:
    found = columns(
        said("rate@a:x", "scored", answer="2"),
        said("rate@a:x", "failed", unscored=Unscored("refused")),
        said("rate@a:x", "idle", answer="NA"),
    )
    assert np.isnan(found.values[1:, 0]).all()
    assert found.lacking[:, 0].tolist() == [False, True, False]


def test_what_the_encoder_cannot_read_is_told_apart_from_what_is_lacking() -> None:
    found = columns(
        said("metrics", "read", "cosine", score=0.5),
        said("metrics", "thai", "cosine", unscored=Unscored("unreadable")),
        said("metrics", "blank", "cosine", unscored=Unscored("empty")),
    )
    assert found.lacking[:, 0].tolist() == [False, True, True]
    assert found.unread[:, 0].tolist() == [False, True, False]
    assert found.of_items(["thai", "unknown"]).unread[:, 0].tolist() == [True, False]


def test_an_item_that_was_never_measured_lacks_a_number() -> None:
    found = columns(said("rate@a:x", "x", answer="2"), said("metrics", "y", "cosine", score=1.0))
    assert found.lacking.tolist() == [[False, True], [True, False]]


def test_people_preferences_and_ensembles_are_no_columns() -> None:
    rows = [
        Judgment("x", "ann", "content", answer="2", kind="person"),
        said("io@a:x", "x", "preference", answer="A"),
        said("ensemble@old", "x", score=2.0),
        said("rate@a:x", "x", answer="2"),
    ]
    preference = Question("preference", kind="preference", answers=("A", "tie", "B"))
    found = Columns.of(JudgmentTable.of(rows, [LIKERT, preference]))
    assert found.names == ("rate:content",)


def test_nothing_but_people_is_refused() -> None:
    with pytest.raises(DataError, match="no judgment here is by a metric"):
        columns(Judgment("x", "ann", "content", answer="2", kind="person"))


def test_the_mean_over_references_is_the_metric_itself_where_there_is_one_reference() -> None:
    rows = [
        said("metrics", "one", "cosine", score=0.4),
        said("metrics", "two", "cosine", score=0.9),
        said("metrics", "two", "cosine-mean", score=0.5),
    ]
    found = Columns.of(JudgmentTable.of(rows))
    assert found.values[:, found.names.index("metrics:cosine-mean")].tolist() == [0.4, 0.5]
    assert not found.lacking.any()


@pytest.mark.parametrize("asked", [("metrics:cosine",), ("metrics:*",)])
def test_columns_are_chosen_by_name_and_by_judge(asked: tuple[str, ...]) -> None:
    both = columns(said("metrics", "x", "cosine", score=1.0), said("rate@a:x", "x", answer="2"))
    assert both.take(asked).names == ("metrics:cosine",)


def test_an_unknown_column_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"no column 'metrics:bleu'; there are rate:content"):
        columns(said("rate@a:x", "x", answer="2")).take(["metrics:bleu"])


def test_matching_takes_the_same_judge_before_another_model() -> None:
    found = columns(said("rate@a:x", "x", answer="1"), said("rate@a:y", "x", answer="3"))
    matched = found.matching(["rate:content"], [Source("rate@a:y", "content")])
    assert matched.values.tolist() == [[3.0]]


def test_another_model_of_the_judge_is_another_column() -> None:
    found = columns(said("rate@a:x", "x", answer="1"))
    wanted = ["rate:content"], [Source("rate@a:old", "content")]
    with pytest.raises(DataError, match="reads rate:content by rate@a:old, and there are"):
        found.matching(*wanted)
    assert found.matching(*wanted, lenient=True).lacking.tolist() == [[True]]


@pytest.mark.parametrize("judge", ["metrics@hf:large", "metrics/paper"])
def test_metrics_of_another_encoder_are_refused(judge: str) -> None:
    found = Columns.of(metrics_table(np.ones((2, 1)), judge))
    with pytest.raises(DataError, match="score the items with --judge metrics"):
        found.matching(["metrics:cosine"], [Source("metrics", "cosine")])


def test_a_copy_of_the_paper_s_encoder_measures_the_same() -> None:
    found = Columns.of(metrics_table(np.ones((2, 1)), "metrics/paper@hf:copy"))
    matched = found.matching(["metrics:cosine"], [Source("metrics/paper", "cosine")])
    assert matched.sources == (Source("metrics/paper", "cosine"),)


def test_a_mean_over_references_is_read_from_the_best_where_all_have_one() -> None:
    found = Columns.of(metrics_table(np.array([[0.3]])))
    matched = found.matching(["metrics:cosine-mean"], [Source("metrics", "cosine-mean")])
    assert matched.values.tolist() == [[0.3]]


def test_unknown_items_have_nothing() -> None:
    found = Columns.of(metrics_table(np.ones((1, 2)))).of_items(["i0", "other"])
    assert found.lacking.tolist() == [[False, False], [True, True]]


def test_the_paper_has_twelve_metrics() -> None:
    assert len(PAPER) == 12
    assert sum(name.startswith("metrics:") for name in PAPER) == 8


def test_names_of_presets_of_the_local_metrics_stay_apart() -> None:
    sources = [Source("metrics", "cosine"), Source("metrics/paper", "cosine")]
    assert named(sources) == ("metrics:cosine", "metrics/paper:cosine")
