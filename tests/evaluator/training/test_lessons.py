from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.evaluator._training.lessons import Lessons
from assize.stats._reliability import Votes

ROWS = np.arange(12.0).reshape(6, 2)
A, B = np.array([0, 2, 4]), np.array([1, 3, 5])
VOTES = Votes.of([[[1.0, 0.0]], [[1.0, 1.0]], [[0.0, 0.0]]], [[[0.0, 1.0]]] * 3)


def lessons(rows: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = ROWS) -> Lessons:
    return Lessons(rows, A, B, VOTES, ("one", "two"), ("ann",))


def test_pairs_that_share_a_dialogue_are_held_out_together() -> None:
    shared = Lessons(ROWS, np.array([0, 1, 4]), np.array([1, 2, 5]), VOTES, ("q", "r"), ("ann",))
    groups = shared.groups()
    assert groups[0] == groups[1] == groups[2] != groups[4] == groups[5]
    fold = shared.folds(2, np.random.default_rng(0))
    assert fold[0] == fold[1] == fold[2]
    assert sorted(set(fold.tolist())) == [0, 1]


def test_too_few_pairs_to_hold_out_are_refused() -> None:
    with pytest.raises(DataError, match="3 independent pairs are too few to hold out 5 parts"):
        lessons().folds(5, np.random.default_rng(0))


def test_some_questions_keep_their_votes() -> None:
    second = lessons().of_questions(np.array([1]))
    assert second.questions == ("two",)
    assert second.votes.for_a[:, 0, 0].tolist() == [0, 1, 0]


def test_a_missing_feature_does_not_count_in_the_scaling() -> None:
    rows = ROWS.copy()
    rows[0, 0] = np.nan
    scaling = lessons(rows).scaling()
    np.testing.assert_allclose(scaling.center, [6.0, 6.0])
    assert scaling(rows)[0, 0] == 0
    still = Lessons(np.ones((6, 2)), A, B, VOTES, ("q", "r"), ("ann",)).scaling()
    assert still.scale.tolist() == [1, 1]


def test_the_signature_knows_a_changed_vote() -> None:
    other = Lessons(
        ROWS, A, B, Votes(VOTES.for_b, VOTES.for_a, VOTES.ties), ("one", "two"), ("ann",)
    )
    assert other.signature != lessons().signature == lessons().signature


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_rows_without_finite_numbers_are_refused(bad: float) -> None:
    rows = ROWS.copy()
    rows[3] = bad
    with pytest.raises(DataError, match="dialogue 3 hold no finite number"):
        lessons(rows)


def test_what_does_not_fit_or_says_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="2 sides A and 3 sides B for 3 pairs"):
        Lessons(ROWS, A[:2], B, VOTES, ("one", "two"), ("ann",))
    with pytest.raises(DataError, match="2 names for 1 judges, 2 for 2 questions"):
        Lessons(ROWS, A, B, VOTES, ("one", "two"), ("ann", "bob"))
    nothing = Votes.of(np.zeros((3, 1, 2)), np.zeros((3, 1, 2)), np.ones((3, 1, 2)))
    with pytest.raises(DataError, match="nothing to learn from: no vote for A or B"):
        Lessons(ROWS, A, B, nothing, ("one", "two"), ("ann",))
