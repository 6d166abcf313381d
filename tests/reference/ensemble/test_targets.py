from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.reference.ensemble.made import CONTENT, ratings_table

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.reference._ensemble.targets import targets_of

DEGREES = ("No", "To some extent", "Yes")
TONE = Question("tone", kind="nominal", answers=("kind", "rude"))


def degrees(*answers: tuple[str, str, str]) -> JudgmentTable:
    """From (item, question, answer)."""
    rows = [
        Judgment(item, "gold", name, answer=said, kind="person") for item, name, said in answers
    ]
    return JudgmentTable.of(
        rows, [Question(name, kind="ordinal", answers=DEGREES) for name in ("a", "b")]
    )


def test_a_target_is_the_mean_over_raters_and_keeps_every_annotation() -> None:
    found = targets_of(ratings_table(np.array([[1.0, 3.0, 5.0], [4, np.nan, np.nan]])), "content")
    assert found.value.tolist() == [3.0, 4.0]
    assert found.range == (1.0, 5.0)
    assert found.question == CONTENT
    place, rating = found.annotations
    assert place.tolist() == [0, 0, 0, 1]
    assert rating.tolist() == [1.0, 3.0, 5.0, 4.0]


def test_a_sum_is_the_mean_on_the_scales_from_0_to_1_where_all_are_answered() -> None:
    found = targets_of(
        degrees(
            ("x", "a", "Yes"),
            ("x", "b", "To some extent"),
            ("y", "a", "No"),
            ("y", "b", "No"),
            ("z", "a", "No"),
        ),
        "a+b",
    )
    assert found.items == ("x", "y")
    assert found.value.tolist() == [0.75, 0.0]  # (1 + 0.5) / 2
    assert found.question.id == "a+b"


def test_several_targets_are_deviations_from_the_mean_of_each_and_count_alike() -> None:
    rows = [
        Judgment(f"o{at}", "r", "overall", score=score, kind="person")
        for at, score in enumerate((0.0, 50.0, 100.0, 50.0))
    ]
    overall = JudgmentTable.of(rows, [Question("overall", kind="number", range=(0, 100))])
    table = JudgmentTable.concat([ratings_table(np.array([[1.0], [3.0]])), overall])
    found = targets_of(table, ["content", "overall"])
    assert (found.standardised, found.range) == (True, None)
    for source in (0, 1):
        own = found.value[found.source == source]
        assert (own.mean(), own.std()) == pytest.approx((0, 1))
    place, rating = found.annotations
    assert place.tolist() == list(range(6))
    assert rating == pytest.approx(found.value)


@pytest.mark.parametrize(
    ("table", "asked", "message"),
    [
        (
            degrees(("x", "a", "Yes"), ("y", "a", "No"), ("x", "b", "Yes"), ("z", "b", "No")),
            ["a", "b"],
            "'x' has an answer to two of the targets",
        ),
        (
            ratings_table(np.array([[1.0], [2.0]])),
            "style",
            "has answered question 'style'; people answered content",
        ),
        (ratings_table(np.full((4, 2), 3.0)), "content", "all items have the same content, 3"),
        (
            JudgmentTable.of([Judgment("x", "ann", "tone", answer="rude", kind="person")], [TONE]),
            "tone",
            "stands for a number; its kind is nominal",
        ),
        (ratings_table(np.array([[1.0], [2.0]])), ["content", "content"], "each once"),
    ],
)
def test_what_is_no_target_is_refused(
    table: JudgmentTable, asked: str | Sequence[str], message: str
) -> None:
    with pytest.raises((ConfigError, DataError), match=message):
        targets_of(table, asked)


def test_taking_items_keeps_their_annotations() -> None:
    found = targets_of(ratings_table(np.array([[1.0, 2], [3, 4], [5, 5]])), "content")
    some = found.take(np.array([2, 0]))
    assert some.items == ("i2", "i0")
    place, rating = some.annotations
    pairs = zip(place.tolist(), rating.tolist(), strict=True)
    assert sorted(pairs) == [(0, 5.0), (0, 5.0), (1, 1.0), (1, 2.0)]
