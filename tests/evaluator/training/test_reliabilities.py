from __future__ import annotations

import numpy as np
from planted import plant

from assize.evaluator._evaluator import JudgeReliability
from assize.evaluator._training.given_differences import Reliabilities, intervals
from assize.evaluator._training.reliabilities import judge_reliabilities

TRUTH = plant(200)


def rows() -> list[JudgeReliability]:
    learnt = Reliabilities(TRUTH.alpha, TRUTH.beta)
    difference = np.where(TRUTH.is_a, 1.0, -1.0)
    ends = intervals(TRUTH.lessons.votes, difference, learnt)
    return judge_reliabilities(TRUTH.lessons, learnt, ends, difference)


def test_there_is_a_row_a_judge_and_question() -> None:
    known = {(row.judge, row.question): row for row in rows()}
    assert len(known) == 5 * 2
    row, votes = known["j2", "q1"], TRUTH.lessons.votes
    assert (row.alpha.estimate, row.beta.estimate) == (TRUTH.alpha[2, 1], TRUTH.beta[2, 1])
    assert row.alpha.n == (votes.for_a + votes.for_b)[:, 2, 1].sum()
    assert all(row.alpha.interval[0] < row.alpha.estimate < row.alpha.interval[1] for row in rows())


def test_a_vote_that_agrees_with_the_differences_is_a_right_one() -> None:
    own = TRUTH.lessons.votes.for_a[:, 2, 0] == TRUTH.is_a[:, 0]  # differences are the truth
    (row,) = (row for row in rows() if (row.judge, row.question) == ("j2", "q0"))
    assert row.agrees == own.mean()
