from __future__ import annotations

from dataclasses import replace

import numpy as np
from planted import plant

from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.signs import GOLD, begin_from_votes, turned_round
from assize.stats._reliability import Votes


def test_it_begins_near_the_truth_without_any_network() -> None:
    truth = plant(1500)
    found = begin_from_votes(truth.lessons, (), (), tied=False, seed=0)
    assert truth.rms(found.begin.alpha, found.begin.beta) < 0.1
    again = begin_from_votes(truth.lessons, (), (), tied=False, seed=0)
    np.testing.assert_array_equal(found.begin.alpha, again.begin.alpha)


def test_a_trusted_judge_decides_the_side_and_doubts_are_told_without() -> None:
    truth = plant(1500, judges=5, questions=1, seed=7)
    # every judge but the last is turned round, so that most are wrong more often than right
    signs = truth.lessons.votes.for_a - truth.lessons.votes.for_b
    signs[:, 2:4] *= -1
    lessons = replace(truth.lessons, votes=Votes.from_signs(signs))
    wrong = begin_from_votes(lessons, (), (), tied=False, seed=0)
    assert wrong.notes
    right = begin_from_votes(lessons, (), ("j4",), tied=False, seed=0)
    assert right.begin.information[4, 0] > 0.1
    assert right.begin.information[2:4].max() < 0


def test_gold_labels_decide_the_side_and_few_are_told() -> None:
    truth = plant(600, judges=5, questions=1, seed=7)
    signs = truth.lessons.votes.for_a - truth.lessons.votes.for_b
    signs[:, 2:] *= -1  # all are wrong
    gold = np.full((600, 1, 1), np.nan)
    gold[:12, 0] = np.where(truth.is_a[:12], 1, -1)
    for count in (12, 4):
        gold[count:] = np.nan
        votes = Votes.from_signs(np.concatenate([signs, gold], axis=1))
        judges = (*truth.lessons.judges, "gold")
        lessons = replace(truth.lessons, votes=votes, judges=judges)
        found = begin_from_votes(lessons, ("gold",), (), tied=False, seed=0)
        assert found.begin.alpha[5, 0] == GOLD
        if count == 12:
            assert found.begin.information[2:5].mean() < -0.1
            assert not any("gold labels" in note for note in found.notes)
        else:
            assert any("4 gold labels; give at least 10" in note for note in found.notes)


def test_gold_alone_needs_no_fit() -> None:
    truth = plant(20, judges=1, questions=1)
    lessons = replace(truth.lessons, judges=("gold",))
    found = begin_from_votes(lessons, ("gold",), (), tied=False, seed=0)
    assert found.begin.beta.tolist() == [[GOLD]]


def test_a_question_that_ended_on_the_other_side_is_seen() -> None:
    truth = plant(50)
    learnt = Reliabilities(truth.alpha, truth.beta)
    turned = learnt.flipped(np.array([False, True]))
    assert turned_round(truth.lessons, learnt, learnt).tolist() == [False, False]
    assert turned_round(truth.lessons, learnt, turned).tolist() == [False, True]
