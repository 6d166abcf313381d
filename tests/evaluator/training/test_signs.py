from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from planted import plant

from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.signs import GOLD, StartingPoint, begin_from_votes, turned_round
from assize.stats._reliability import Votes


def begin(lessons: Lessons, *, gold: str = "", trusted: str = "") -> StartingPoint:
    return begin_from_votes(lessons, {gold}, {trusted}, tied=False, seed=0)


def test_it_begins_near_the_truth_without_any_network() -> None:
    truth = plant(1500)
    found, again = (begin(truth.lessons).begin for _ in range(2))
    assert truth.rms(found.alpha, found.beta) < 0.1
    np.testing.assert_array_equal(found.alpha, again.alpha)


def test_a_trusted_judge_decides_the_side_and_doubts_are_told_without() -> None:
    truth = plant(1500, judges=5, questions=1, seed=7)
    # every judge but the last is turned round, so that most are wrong more often than right
    signs = truth.lessons.votes.for_a - truth.lessons.votes.for_b
    signs[:, 2:4] *= -1
    lessons = replace(truth.lessons, votes=Votes.from_signs(signs))
    assert begin(lessons).notes
    right = begin(lessons, trusted="j4").begin.information[:, 0]
    assert right[4] > 0.1
    assert right[2:4].max() < 0


@pytest.mark.parametrize("count", [12, 4])
def test_gold_labels_decide_the_side_and_few_are_told(count: int) -> None:
    truth = plant(600, judges=5, questions=1, seed=7)
    signs = truth.lessons.votes.for_a - truth.lessons.votes.for_b
    signs[:, 2:] *= -1  # all are wrong
    gold = np.full((600, 1, 1), np.nan)
    gold[:count, 0] = np.where(truth.is_a[:count], 1, -1)
    votes = Votes.from_signs(np.concatenate([signs, gold], axis=1))
    lessons = replace(truth.lessons, votes=votes, judges=(*truth.lessons.judges, "gold"))
    found = begin(lessons, gold="gold")
    assert found.begin.alpha[5, 0] == GOLD
    few = any("4 gold labels; give at least 10" in note for note in found.notes)
    assert few is (count == 4)
    if not few:
        assert found.begin.information[2:5].mean() < -0.1


def test_gold_alone_needs_no_fit() -> None:
    lessons = replace(plant(20, judges=1, questions=1).lessons, judges=("gold",))
    assert begin(lessons, gold="gold").begin.beta.tolist() == [[GOLD]]


def test_a_question_that_ended_on_the_other_side_is_seen() -> None:
    truth = plant(50)
    learnt = Reliabilities(truth.alpha, truth.beta)
    turned = learnt.flipped(np.array([False, True]))
    assert turned_round(truth.lessons, learnt, learnt).tolist() == [False, False]
    assert turned_round(truth.lessons, learnt, turned).tolist() == [False, True]
