from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.evaluator._training.lessons import Lessons
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes

ROWS = np.arange(12.0).reshape(6, 2)
A, B = np.array([0, 2, 4]), np.array([1, 3, 5])
VOTES = Votes.of([[[1.0, 0.0]], [[1.0, 1.0]], [[0.0, 0.0]]], [[[0.0, 1.0]]] * 3)


def lessons(**more: Any) -> Lessons:
    given = {"rows": ROWS, "a": A, "b": B, "votes": VOTES, "questions": ("one", "two")}
    return Lessons(**{**given, "judges": ("ann",), **more})


def test_pairs_that_share_a_dialogue_are_held_out_together() -> None:
    shared = lessons(a=np.array([0, 1, 4]), b=np.array([1, 2, 5]))
    groups = shared.groups()
    assert groups[0] == groups[1] == groups[2] != groups[4] == groups[5]
    fold = shared.folds(2, np.random.default_rng(0))
    assert fold[0] == fold[1] == fold[2]
    assert sorted(set(fold.tolist())) == [0, 1]


def test_some_questions_keep_their_votes() -> None:
    second = lessons().of_questions(np.array([1]))
    assert second.questions == ("two",)
    assert second.votes.for_a[:, 0, 0].tolist() == [0, 1, 0]


def test_a_missing_feature_does_not_count_in_the_scaling() -> None:
    rows = ROWS.copy()
    rows[0, 0] = np.nan
    scaling = lessons(rows=rows).scaling()
    np.testing.assert_allclose(scaling.center, [6.0, 6.0])
    np.testing.assert_allclose(scaling.scale, [np.std([2, 4, 6, 8, 10]), np.std(ROWS[:, 1])])
    assert scaling(rows)[0, 0] == 0
    assert lessons(rows=np.ones((6, 2))).scaling().scale.tolist() == [1, 1]


def test_the_signature_knows_a_changed_vote() -> None:
    other = lessons(votes=Votes(VOTES.for_b, VOTES.for_a, VOTES.ties))
    assert other.signature != lessons().signature == lessons().signature


def bad(value: float) -> FloatArray:
    rows = ROWS.copy()
    rows[3] = value
    return rows


NOTHING = Votes.of(np.zeros((3, 1, 2)), np.zeros((3, 1, 2)), np.ones((3, 1, 2)))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"rows": bad(np.inf)}, "dialogue 3 hold no finite number"),
        ({"rows": bad(np.nan)}, "dialogue 3 hold no finite number"),
        ({"a": A[:2]}, "2 sides A and 3 sides B for 3 pairs"),
        ({"judges": ("ann", "bob")}, "2 names for 1 judges, 2 for 2 questions"),
        ({"votes": NOTHING}, "nothing to learn from: no vote for A or B"),
        ({}, "3 independent pairs are too few to hold out 5 parts"),
    ],
)
def test_what_does_not_fit_or_says_nothing_is_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        lessons(**more).folds(5, np.random.default_rng(0))
