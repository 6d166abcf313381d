"""What people said of continuations, read once."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.reference._ratings import Ratings, Target, read_ratings

LIKERT = Question("a", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))
SHARE = Question("b", kind="number", range=(0.0, 10.0))


def said(item: str, rater: str, question: str, score: float | None) -> Judgment:
    return Judgment(item, rater, question, score=score, kind="person")


def test_raters_stand_beside_items_and_several_questions_are_averaged_on_0_to_1() -> None:
    rows = [
        said("x", "ann", "a", 3.0),
        said("x", "ann", "b", 5.0),
        said("x", "ben", "a", 1.0),
        said("y", "ben", "a", 2.0),
        said("y", "ben", "b", 0.0),
    ]
    table = JudgmentTable.of(rows, [LIKERT, SHARE])
    alone = read_ratings(table, Target.of("a"), {"x": 0, "y": 1})
    assert np.array_equal(alone.values, [[3.0, np.nan], [1.0, 2.0]], equal_nan=True)
    assert (alone.target, alone.answers, alone.highest) == ("a", (1.0, 2.0, 3.0), 3.0)
    number = read_ratings(table, Target.of("b"), {"x": 0, "y": 1})
    assert (number.target, number.answers, number.highest) == ("b", (), 10.0)
    both = read_ratings(table, Target.of("a+b"), {"x": 0, "y": 1}, "all")
    # ann on x: (1 + 0.5) / 2; ben on x has no b; ben on y: (0.5 + 0) / 2
    assert np.array_equal(both.values, [[0.75, np.nan], [np.nan, 0.25]], equal_nan=True)
    assert (both.target, both.answers, both.highest) == ("all", (), 1.0)


def test_a_question_without_a_scale_is_averaged_with_no_other() -> None:
    free = Question("free", kind="number")
    rows = [said("x", "ann", "a", 3.0), said("x", "ann", "free", 7.0)]
    table = JudgmentTable.of(rows, [LIKERT, free])
    with pytest.raises(DataError, match="'free' has no scale"):
        read_ratings(table, Target.of("a+free"), {"x": 0})


@pytest.mark.parametrize("written", ["a++b", "", "a+a"])
def test_a_target_that_names_no_question_is_refused(written: str) -> None:
    with pytest.raises(ConfigError, match=r"give a question, or several as a\+b\+c"):
        Target.of(written)


def test_each_rating_is_a_row_and_an_item_is_its_mean_and_its_mode() -> None:
    nan = np.nan
    ratings = Ratings("a", np.array([[1, 2, 5], [1, 3, nan], [4, nan, nan]], float))
    rows = ratings.rows()
    assert rows.item.tolist() == [0, 0, 0, 1, 1, 2]
    assert rows.value.tolist() == rows.label.tolist() == [1, 1, 4, 2, 3, 5]
    items = ratings.rows("items")
    assert items.value.tolist() == [2, 2.5, 5]
    # 2 and 3 have no mode; a single rating is its own
    assert np.array_equal(items.label, [1, nan, 5], equal_nan=True)
