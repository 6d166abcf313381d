from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.ensemble.made import (
    continuations,
    metrics_table,
    ratings_table,
    sample,
    simulated,
)

from assize.base.conversation import Continuation, Turn
from assize.base.errors import DataError
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.sample import Sample, conversations_of, sample_of
from assize.reference._ensemble.targets import targets_of
from assize.stats._arrays import FloatArray

COUNT = 100


def made(metrics: FloatArray, answers: FloatArray, each: int = 4, **given: str) -> Sample:
    return sample_of(
        Columns.of(metrics_table(metrics)),
        targets_of(ratings_table(answers), "content"),
        {f"i{at}": f"c{at // each}" for at in range(len(answers))},
        **given,  # type: ignore[arg-type]
    )


def test_a_constant_metric_is_left_out_and_named() -> None:
    metrics, answers = simulated(COUNT)
    metrics[:, 1] = 0.5
    found = made(metrics, answers)
    assert found.columns.names == ("metrics:cosine", "metrics:length-ratio")
    assert found.left_out == {"metrics:rouge1-recall": "it is the same everywhere"}


def test_a_metric_that_many_items_lack_is_left_out_and_named() -> None:
    metrics, answers = simulated(COUNT)
    metrics[:10, 2] = np.nan
    assert made(metrics, answers).left_out == {
        "metrics:length-ratio": "10 of 100 rated items are without it"
    }


def test_items_without_a_metric_are_left_out_and_counted() -> None:
    metrics, answers = simulated(COUNT)
    metrics[:3, 2] = np.nan
    found = made(metrics, answers)
    assert (len(found), found.incomplete) == (97, 3)
    assert not np.isnan(found.values).any()


def test_means_over_one_reference_are_left_out() -> None:
    metrics, answers = simulated(COUNT)
    rows = [*metrics_table(metrics)]
    rows += [replace(row, question="cosine-mean") for row in rows if row.question == "cosine"]
    found = sample_of(
        Columns.of(JudgmentTable.of(rows)), targets_of(ratings_table(answers), "content"), {}
    )
    assert list(found.left_out) == ["metrics:cosine-mean"]
    assert "the same by its best reference" in found.left_out["metrics:cosine-mean"]


def test_items_without_most_metrics_take_no_metric_from_the_others() -> None:
    metrics, answers = simulated(COUNT)
    metrics[:10, :2] = np.nan  # as of a continuation without a reference
    found = made(metrics, answers)
    assert (len(found), found.incomplete, found.left_out) == (90, 10, {})


def test_imputing_keeps_them() -> None:
    metrics, answers = simulated(COUNT)
    metrics[:3, 2] = np.nan
    found = made(metrics, answers, missing="impute")
    assert (len(found), found.incomplete) == (100, 0)


def test_rated_items_without_metrics_are_counted() -> None:
    metrics, answers = simulated(COUNT)
    assert made(metrics[:90], answers).unmatched == 10


def test_too_few_conversations_are_refused() -> None:
    metrics, answers = simulated(76)
    with pytest.raises(DataError, match="in 19 conversations; at least 20 conversations"):
        made(metrics, answers)


def test_metrics_of_other_items_are_refused() -> None:
    metrics, answers = simulated(COUNT)
    table = ratings_table(answers)
    other = Columns.of(metrics_table(metrics)).of_items([f"other{at}" for at in range(COUNT)])
    with pytest.raises(DataError, match="no rated item has metrics: rated are i0, i1, i2"):
        sample_of(other, targets_of(table, "content"), {})


def test_metrics_that_are_all_constant_are_refused() -> None:
    _, answers = simulated(COUNT)
    with pytest.raises(DataError, match="no metric can be learnt from: 3 columns: it is the same"):
        made(np.ones((COUNT, 3)), answers)


def test_a_conversation_is_held_out_as_a_whole() -> None:
    found = sample(120)
    fold = found.folds(5, seed=0)
    for group in np.unique(found.groups):
        assert len(set(fold[found.groups == group].tolist())) == 1


def test_items_without_a_conversation_stand_alone() -> None:
    metrics, answers = simulated(40)
    found = sample_of(
        Columns.of(metrics_table(metrics)), targets_of(ratings_table(answers), "content"), {}
    )
    assert found.conversations == 40


def test_conversations_are_told_or_inferred_from_the_turns_before() -> None:
    first = Turn("user", "Hello")
    known = continuations(2, each=1)
    told = conversations_of(
        [
            *known,
            Continuation("a", (first,), "x"),
            Continuation("b", (first, Turn("assistant", "Hi"), Turn("user", "So?")), "y"),
            Continuation("c", (), "z"),
        ]
    )
    assert told["i0"] != told["i1"]
    assert told["a"] == told["b"]
    assert "c" not in told
