from __future__ import annotations

import numpy as np
import pytest
from tests.reference.ensemble.made import CONTENT, ratings_table

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.reference._ensemble.targets import targets_of

DEGREES = ("No", "To some extent", "Yes")


def degree(item: str, question: str, answer: str) -> Judgment:
    return Judgment(item, "gold", question, answer=answer, kind="person")


def degrees(*rows: Judgment) -> JudgmentTable:
    asked = [Question(name, kind="ordinal", answers=DEGREES) for name in ("a", "b")]
    return JudgmentTable.of(rows, asked)


def test_a_target_is_the_mean_over_raters() -> None:
    found = targets_of(ratings_table(np.array([[1.0, 3.0, 5.0], [4, np.nan, np.nan]])), "content")
    assert found.value.tolist() == [3.0, 4.0]
    assert found.range == (1.0, 5.0)
    assert found.question == CONTENT


def test_every_annotation_is_kept_with_its_item() -> None:
    found = targets_of(ratings_table(np.array([[1.0, 3.0], [4, np.nan]])), "content")
    place, rating = found.annotations
    assert place.tolist() == [0, 0, 1]
    assert rating.tolist() == [1.0, 3.0, 4.0]


def test_a_sum_is_the_mean_on_the_scales_from_0_to_1() -> None:
    found = targets_of(
        degrees(
            degree("x", "a", "Yes"),
            degree("x", "b", "To some extent"),
            degree("y", "a", "No"),
            degree("y", "b", "No"),
        ),
        "a+b",
    )
    assert found.value.tolist() == [0.75, 0.0]  # (1 + 0.5) / 2
    assert found.question.id == "a+b"


def test_an_item_without_one_of_the_summed_questions_has_no_target() -> None:
    found = targets_of(
        degrees(
            degree("x", "a", "Yes"),
            degree("y", "a", "No"),
            degree("x", "b", "Yes"),
            degree("y", "b", "No"),
            degree("z", "a", "No"),
        ),
        "a+b",
    )
    assert found.items == ("x", "y")


def test_several_targets_are_deviations_from_the_mean_of_each_and_count_alike() -> None:
    other = Question("overall", kind="number", range=(0, 100))
    table = JudgmentTable.concat(
        [
            ratings_table(np.array([[1.0], [3.0]])),
            JudgmentTable.of(
                [
                    Judgment(f"o{at}", "r", "overall", score=one, kind="person")
                    for at, one in enumerate((0.0, 50.0, 100.0, 50.0))
                ],
                [other],
            ),
        ]
    )
    found = targets_of(table, ["content", "overall"])
    assert found.standardised
    assert found.range is None
    for source in (0, 1):
        own = found.value[found.source == source]
        assert own.mean() == pytest.approx(0)
        assert own.std() == pytest.approx(1)
    place, rating = found.annotations
    assert place.tolist() == list(range(6))
    assert rating == pytest.approx(found.value)


def test_an_item_of_two_targets_is_refused() -> None:
    table = degrees(
        degree("x", "a", "Yes"),
        degree("y", "a", "No"),
        degree("x", "b", "Yes"),
        degree("z", "b", "No"),
    )
    with pytest.raises(DataError, match="'x' has an answer to two of the targets"):
        targets_of(table, ["a", "b"])


def test_a_question_that_nobody_answered_is_refused_with_those_that_are() -> None:
    with pytest.raises(DataError, match="has answered question 'style'; people answered content"):
        targets_of(ratings_table(np.array([[1.0], [2.0]])), "style")


def test_one_class_is_refused() -> None:
    with pytest.raises(DataError, match="all items have the same content, 3"):
        targets_of(ratings_table(np.full((4, 2), 3.0)), "content")


def test_words_without_an_order_are_refused() -> None:
    tone = Question("tone", kind="nominal", answers=("kind", "rude"))
    rows = [Judgment("x", "ann", "tone", answer="rude", kind="person")]
    with pytest.raises(DataError, match="stands for a number; its kind is nominal"):
        targets_of(JudgmentTable.of(rows, [tone]), "tone")


def test_one_target_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="each once"):
        targets_of(ratings_table(np.array([[1.0], [2.0]])), ["content", "content"])


def test_taking_items_keeps_their_annotations() -> None:
    found = targets_of(ratings_table(np.array([[1.0, 2], [3, 4], [5, 5]])), "content")
    some = found.take(np.array([2, 0]))
    assert some.items == ("i2", "i0")
    place, rating = some.annotations
    assert sorted(zip(place.tolist(), rating.tolist(), strict=True)) == [
        (0, 5.0),
        (0, 5.0),
        (1, 1.0),
        (1, 2.0),
    ]
