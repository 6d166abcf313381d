from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reference.ensemble.made import (
    continuations,
    metrics_table,
    ratings_table,
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
METRICS, ANSWERS = simulated(COUNT)
CONSTANT = "it is the same everywhere"


def made(metrics: FloatArray, answers: FloatArray = ANSWERS, **given: str) -> Sample:
    return sample_of(
        Columns.of(metrics_table(metrics)),
        targets_of(ratings_table(answers), "content"),
        {f"i{at}": f"c{at // 4}" for at in range(len(answers))},
        **given,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("cells", "value", "missing", "left_out", "incomplete"),
    [
        pytest.param(
            np.s_[:, 1],
            0.5,
            "unscored",
            {"metrics:rouge1-recall": CONSTANT},
            0,
            id="a constant metric is left out",
        ),
        pytest.param(
            np.s_[:10, 2],
            np.nan,
            "unscored",
            {"metrics:length-ratio": "10 of 100 rated items are without it"},
            0,
            id="a metric that many items lack is left out",
        ),
        pytest.param(
            np.s_[:3, 2], np.nan, "unscored", {}, 3, id="items without a metric are left out"
        ),
        pytest.param(
            np.s_[:10, :2],  # as of a continuation without a reference
            np.nan,
            "unscored",
            {},
            10,
            id="items without most metrics take no metric from the others",
        ),
        pytest.param(np.s_[:3, 2], np.nan, "impute", {}, 0, id="imputing keeps them"),
    ],
)
def test_what_is_left_out_is_named_or_counted(
    cells: Any, value: float, missing: str, left_out: dict[str, str], incomplete: int
) -> None:
    metrics = METRICS.copy()
    metrics[cells] = value
    found = made(metrics, missing=missing)
    assert (found.left_out, found.incomplete) == (left_out, incomplete)
    assert len(found) == COUNT - incomplete
    assert len(found.columns.names) == 3 - len(left_out)
    assert np.isnan(found.values).any() == (missing == "impute")


def test_means_over_one_reference_are_left_out_even_where_some_are_missing() -> None:
    metrics = METRICS.copy()
    metrics[0, 0] = np.nan
    rows = [*metrics_table(metrics)]
    rows += [replace(row, question="cosine-mean") for row in rows if row.question == "cosine"]
    found = sample_of(
        Columns.of(JudgmentTable.of(rows)), targets_of(ratings_table(ANSWERS), "content"), {}
    )
    assert list(found.left_out) == ["metrics:cosine-mean"]
    assert "the same by its best reference" in found.left_out["metrics:cosine-mean"]
    # Each item is a conversation where none is told; the one without the metric is left out.
    assert (found.conversations, found.incomplete) == (COUNT - 1, 1)


def test_rated_items_without_metrics_are_counted() -> None:
    assert made(METRICS[:90]).unmatched == 10


@pytest.mark.parametrize(
    ("metrics", "answers", "message"),
    [
        (METRICS[:76], ANSWERS[:76], "in 19 conversations; at least 20 conversations"),
        (
            np.ones((COUNT, 3)),
            ANSWERS,
            f"no metric can be learnt from: 3 columns: {CONSTANT}",
        ),
        (METRICS[:90], np.vstack([np.full((90, 3), 3.0), ANSWERS[90:]]), "are all rated alike"),
    ],
)
def test_what_nothing_can_be_learnt_from_is_refused(
    metrics: FloatArray, answers: FloatArray, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        made(metrics, answers)


def test_metrics_of_other_items_are_refused() -> None:
    other = Columns.of(metrics_table(METRICS)).of_items([f"other{at}" for at in range(COUNT)])
    with pytest.raises(DataError, match="no rated item has metrics: rated are i0, i1, i2"):
        sample_of(other, targets_of(ratings_table(ANSWERS), "content"), {})


def test_conversations_are_told_or_inferred_from_the_turns_before() -> None:
    first = Turn("user", "Hello")
    told = conversations_of(
        [
            *continuations(2, each=1),
            Continuation("a", (first,), "x"),
            Continuation("b", (first, Turn("assistant", "Hi"), Turn("user", "So?")), "y"),
            Continuation("c", (), "z"),
        ]
    )
    assert told["i0"] != told["i1"]
    assert told["a"] == told["b"]
    assert "c" not in told
