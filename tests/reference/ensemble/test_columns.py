from __future__ import annotations

import numpy as np
import pytest
from tests.reference.ensemble.made import metrics_table

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import PAPER, Columns, Source, named

LIKERT = Question("content", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))
PREFERENCE = Question("preference", kind="preference", answers=("A", "tie", "B"))


def said(judge: str, item: str, question: str = "content", **given: object) -> Judgment:
    kind = "metric" if judge.startswith("metrics") else "model"
    return Judgment(item, judge, question, **({"kind": kind} | given))  # type: ignore[arg-type]


def columns(*rows: Judgment) -> Columns:
    return Columns.of(JudgmentTable.of(rows, [LIKERT, PREFERENCE]))


PERSON = said("ann", "x", answer="2", kind="person")
COSINE = said("metrics", "x", "cosine", score=0.5)
RATED = said("rate@a:x", "x", answer="2")


@pytest.mark.parametrize(
    ("rows", "names", "values"),
    [
        pytest.param(
            [said("equivalence@openai:a", "x", answer="2"), COSINE],
            ("equivalence:content", "metrics:cosine"),
            [2.0, 0.5],
            id="a judge without its model and a question",
        ),
        pytest.param(
            [RATED, said("rate@a:y", "x", answer="3")],
            ("rate@a:x:content", "rate@a:y:content"),
            [2.0, 3.0],
            id="two models of one judge",
        ),
        pytest.param(
            [RATED, said("rate@a:x", "x", answer="1", repeat=1)],
            ("rate:content",),
            [1.5],
            id="the mean of repeats",
        ),
        pytest.param(
            [
                PERSON,
                said("io@a:x", "x", "preference", answer="A"),
                said("ensemble@old", "x", score=2.0),
                RATED,
            ],
            ("rate:content",),
            [2.0],
            id="no people, preferences or ensembles",
        ),
    ],
)
def test_a_column_is_what_a_judge_says(
    rows: list[Judgment], names: tuple[str, ...], values: list[float]
) -> None:
    found = columns(*rows)
    assert found.names == names
    assert found.values.tolist() == [values]


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
    found = columns(RATED, said("metrics", "y", "cosine", score=1.0))
    assert found.lacking.tolist() == [[False, True], [True, False]]
    assert found.of_items(["y", "other"]).lacking.tolist() == [[True, False], [True, True]]


def test_nothing_but_people_and_unknown_columns_are_refused() -> None:
    with pytest.raises(DataError, match="no judgment here is by a metric"):
        columns(PERSON)
    with pytest.raises(ConfigError, match=r"no column 'metrics:bleu'; there are rate:content"):
        columns(RATED).take(["metrics:bleu"])


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
    assert columns(COSINE, RATED).take(asked).names == ("metrics:cosine",)


def test_matching_takes_the_same_judge_before_another_model() -> None:
    found = columns(RATED, said("rate@a:y", "x", answer="3"))
    matched = found.matching(["rate:content"], [Source("rate@a:y", "content")])
    assert matched.values.tolist() == [[3.0]]


def test_another_model_of_the_judge_is_another_column() -> None:
    wanted = ["rate:content"], [Source("rate@a:old", "content")]
    with pytest.raises(DataError, match="reads rate:content by rate@a:old, and there are"):
        columns(RATED).matching(*wanted)
    assert columns(RATED).matching(*wanted, lenient=True).lacking.tolist() == [[True]]


@pytest.mark.parametrize("judge", ["metrics@hf:large", "metrics/paper"])
def test_metrics_of_another_encoder_are_refused(judge: str) -> None:
    found = Columns.of(metrics_table(np.ones((2, 1)), judge))
    with pytest.raises(DataError, match="score the items with --judge metrics"):
        found.matching(["metrics:cosine"], [Source("metrics", "cosine")])


@pytest.mark.parametrize(
    ("judge", "wanted"),
    [
        pytest.param(
            "metrics/paper@hf:copy",
            Source("metrics/paper", "cosine"),
            id="a copy of the paper's encoder",
        ),
        pytest.param("metrics", Source("metrics", "cosine-mean"), id="the best of one reference"),
    ],
)
def test_what_measures_the_same_will_do(judge: str, wanted: Source) -> None:
    found = Columns.of(metrics_table(np.array([[0.3]]), judge))
    matched = found.matching([f"metrics:{wanted.question}"], [wanted])
    assert (matched.values.tolist(), matched.sources) == ([[0.3]], (wanted,))


def test_the_paper_has_twelve_metrics_and_names_of_its_own() -> None:
    assert len(PAPER) == 12
    assert sum(name.startswith("metrics:") for name in PAPER) == 8
    sources = [Source("metrics", "cosine"), Source("metrics/paper", "cosine")]
    assert named(sources) == ("metrics:cosine", "metrics/paper:cosine")
