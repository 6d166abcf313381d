"""From judgments and continuations to data sets: who is there, who is not."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from assize.base.conversation import Continuation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import Source
from assize.reference._study.data import DataSet
from assize.reference._study.reading import (
    EMBEDDINGS,
    GROUPS,
    LEARNT,
    MODELS,
    OTHER,
    OVERLAP,
    SURFACE,
    data_sets,
    group_of,
    parsed,
    short_names,
    targets_of,
)

FIVE = Question(
    "content", kind="ordinal", answers=tuple("12345"), values=(1, 2, 3, 4, 5), higher="better"
)
YES_NO = Question("same", kind="binary", answers=("no", "yes"), values=(0, 1))


def people(*rows: tuple[str, str, str], questions: Iterable[Question] = (FIVE,)) -> JudgmentTable:
    """From (item, rater, answer)."""
    return JudgmentTable.of(
        [
            Judgment(item, rater, "content", answer=said, kind="person")
            for item, rater, said in rows
        ],
        questions,
    )


def metrics(values: dict[str, float], *more: Judgment) -> JudgmentTable:
    rows = [
        Judgment(item, "metrics", "cosine", score=value, kind="metric")
        for item, value in values.items()
    ]
    return JudgmentTable.of([*rows, *more], [Question("cosine"), YES_NO])


def items(*names: str, conversation: str | None = "c") -> list[Continuation]:
    return [
        Continuation(
            name,
            (Turn("user", f"about {name}"),),
            "yes",
            ("no",),
            conversation=conversation,
            turn=1,
            source="bot",
            metadata={},
        )
        for name in names
    ]


RATED = people(("a", "x", "1"), ("b", "x", "2"))
MEASURED = {"a": 0.1, "b": 0.2}


def one_set(found: JudgmentTable, rated: JudgmentTable = RATED, *beside: Continuation) -> DataSet:
    (data,) = data_sets(found, rated, beside or items("a", "b"), targets_of((), rated), {})
    return data


def test_items_metrics_and_ratings_are_put_side_by_side() -> None:
    rated = people(("a", "x", "1"), ("b", "x", "3"), ("a", "y", "2"))
    data = one_set(metrics({"b": 0.5, "a": 0.25}), rated)
    assert data.items == ["a", "b"]
    assert data.columns[0].values.tolist() == [0.25, 0.5]
    assert np.array_equal(
        data.ratings["content"].values, np.array([[1, 3], [2, np.nan]]), equal_nan=True
    )
    assert data.ratings["content"].highest == 5
    assert data.sources.tolist() == ["bot", "bot"]
    assert data.notes == ()


def test_what_is_measured_and_not_rated_is_left_out_and_counted() -> None:
    data = one_set(metrics(MEASURED | {"z": 0.3}), RATED, *items("a", "b", "z"))
    assert data.items == ["a", "b"]
    assert data.notes == ("all: 1 measured items are rated by nobody, and left out",)


def test_what_is_rated_and_not_measured_is_kept_without_a_value() -> None:
    data = one_set(metrics({"a": 0.1}))
    assert np.array_equal(data.columns[0].values, [0.1, np.nan], equal_nan=True)
    assert data.notes == ("all: 1 of 2 rated items have no metric at all",)


def test_nothing_in_common_and_no_ratings_say_where_to_look() -> None:
    with pytest.raises(DataError, match="none of the 2 rated items is among the 1 measured ones"):
        one_set(metrics({"z": 0.3}))
    lost = Judgment("a", "x", "content", kind="person", unscored=Unscored("missing"))
    with pytest.raises(DataError, match="no rating has a value"):
        one_set(metrics(MEASURED), JudgmentTable.of([lost], [FIVE]))


def test_unknown_items_count_as_conversations_of_their_own() -> None:
    data = one_set(metrics(MEASURED), RATED, *items("a"))
    assert data.conversations.tolist() == ["c", "b"]
    assert "the conversation of 1 of 2 rated items is not known" in data.notes[0]


def test_unscored_metrics_are_nan_and_unscored_ratings_are_counted() -> None:
    lost = Judgment("b", "metrics", "cosine", kind="metric", unscored=Unscored("empty"))
    rows = [
        Judgment("a", "x", "content", answer="1", kind="person"),
        Judgment("b", "x", "content", answer="2", kind="person"),
        Judgment("a", "y", "content", kind="person", unscored=Unscored("missing")),
    ]
    data = one_set(metrics({"a": 0.1}, lost), JudgmentTable.of(rows, [FIVE]))
    assert np.isnan(data.columns[0].values[1])
    assert data.ratings["content"].unscored == 1


def test_two_models_of_one_judge_are_two_columns_under_their_full_names() -> None:
    said = [
        Judgment(item, f"equivalent@openai:{model}", "same", answer=answer, kind="model")
        for item, answer in (("a", "yes"), ("b", "no"))
        for model in ("small", "large")
    ]
    data = one_set(metrics(MEASURED, *said))
    assert [(one.name, one.scale, one.group) for one in data.columns] == [
        ("cosine", "number", EMBEDDINGS),
        ("equivalent@openai:small", "binary", MODELS),
        ("equivalent@openai:large", "binary", MODELS),
    ]


def test_an_ensemble_is_a_column_and_no_metric() -> None:
    said = [
        Judgment(item, "ensemble@dir", "content", score=score, kind="evaluator")
        for item, score in (("a", 1.5), ("b", 2.5))
    ]
    table = JudgmentTable.of([*metrics(MEASURED), *said], [Question("cosine"), FIVE])
    data = one_set(table)
    assert [(one.name, one.group, one.scale) for one in data.columns] == [
        ("cosine", EMBEDDINGS, "number"),
        ("ensemble", LEARNT, "number"),
    ]
    assert data.columns[1].values.tolist() == [1.5, 2.5]
    assert [one.name for one in data.metrics] == ["cosine"]


def test_a_judge_whose_answers_have_no_order_is_left_out_by_name() -> None:
    kind = Question("kind", kind="nominal", answers=("x", "y"))
    said = Judgment("a", "sorts@openai:m", "kind", answer="x", kind="model")
    table = JudgmentTable.concat([metrics(MEASURED), JudgmentTable.of([said], [kind])])
    data = one_set(table)
    assert [one.name for one in data.columns] == ["cosine"]
    assert data.notes[0].startswith("left out, for their answers have no order: sorts;")


def test_a_short_name_that_two_columns_would_share_is_not_taken() -> None:
    sources = [Source("metrics", "cosine"), Source("cosine@m", "x")]
    assert short_names(["metrics:cosine", "cosine:x"], sources) == ["metrics:cosine", "cosine:x"]


@pytest.mark.parametrize(
    ("question", "kind", "group"),
    [
        ("cosine", "metric", EMBEDDINGS),
        ("bertscore-f1-mean", "metric", EMBEDDINGS),
        ("rougel-recall", None, OVERLAP),
        ("length-ratio", "metric", SURFACE),
        ("of-my-own", "metric", OTHER),
        ("cosine", "model", MODELS),
        ("content", "evaluator", LEARNT),
    ],
)
def test_metrics_stand_in_the_group_of_what_they_compare(
    question: str, kind: str | None, group: str
) -> None:
    assert group_of(question, kind) == group
    assert group in GROUPS


def test_targets_are_written_as_fit_writes_them() -> None:
    found = parsed(["a+b", "all=c", "all=d+e"])
    names = {name: [str(one) for one in asked] for name, asked in found.items()}
    assert names == {"a+b": ["a+b"], "all": ["c", "d+e"]}


def test_a_question_that_nobody_answered_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"question 'style': no person .* there are content"):
        targets_of(["style"], people(("a", "x", "1")))


def test_a_data_set_that_was_asked_two_of_a_targets_questions_is_refused() -> None:
    other = Question("other", kind="number", range=(0, 1))
    rows = [
        Judgment("a", "x", "content", answer="5", kind="person"),
        Judgment("b", "x", "other", score=0.5, kind="person"),
    ]
    rated = JudgmentTable.of(rows, [FIVE, other])
    targets = targets_of(["all=content", "all=other"], rated)
    found = metrics(MEASURED)
    with pytest.raises(DataError, match="people were asked content and other"):
        data_sets(found, rated, items("a", "b"), targets, {})
    sets = data_sets(found, rated, items("a", "b"), targets, {"a": "one", "b": "two"})
    assert [(one.name, one.ratings["all"].means.tolist()) for one in sets] == [
        ("one", [5.0]),
        ("two", [0.5]),
    ]


def test_candidates_that_say_they_are_simulated_make_the_data_set_so() -> None:
    rated = people(("a", "x", "1"))
    marked = Continuation(
        "a", (Turn("user", "x"),), "yes", conversation="c", metadata={"simulated": True}
    )
    assert one_set(metrics({"a": 0.1}), rated, marked).title == "all (simulated)"
