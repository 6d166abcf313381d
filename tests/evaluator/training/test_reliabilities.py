from __future__ import annotations

import numpy as np
from planted import plant

from assize.evaluator._evaluator import JudgeReliability
from assize.evaluator._training.given_differences import Reliabilities, intervals
from assize.evaluator._training.reliabilities import judge_reliabilities


def rows() -> list[JudgeReliability]:
    truth = plant(200)
    learnt = Reliabilities(truth.alpha, truth.beta)
    difference = np.where(truth.is_a, 1.0, -1.0)
    ends = intervals(truth.lessons.votes, difference, learnt)
    return judge_reliabilities(truth.lessons, learnt, ends, difference)


def test_there_is_a_row_a_judge_and_question() -> None:
    assert len(rows()) == 5 * 2
    truth = plant(200)
    known = {(row.judge, row.question): row for row in rows()}
    row = known["j2", "q1"]
    assert (row.alpha.estimate, row.beta.estimate) == (truth.alpha[2, 1], truth.beta[2, 1])
    votes = truth.lessons.votes
    assert row.alpha.n == (votes.for_a + votes.for_b)[:, 2, 1].sum()
    assert all(row.alpha.interval[0] < row.alpha.estimate < row.alpha.interval[1] for row in rows())


def test_a_vote_that_agrees_with_the_differences_is_a_right_one() -> None:
    truth = plant(200)  # whose differences are the truth
    own = truth.lessons.votes.for_a[:, 2, 0] == truth.is_a[:, 0]
    (row,) = (row for row in rows() if (row.judge, row.question) == ("j2", "q0"))
    assert row.agrees == own.mean()
