from __future__ import annotations

import numpy as np
from planted import plant

from assize.evaluator.training.given_differences import Reliabilities, intervals
from assize.evaluator.training.reliabilities import (
    LearntReliabilities,
    learnt_in,
    reliability_table,
)


def about() -> dict[str, object]:
    truth = plant(200)
    at = Reliabilities(truth.alpha, truth.beta)
    difference = np.where(truth.is_a, 1.0, -1.0)
    ends = intervals(truth.lessons.votes, difference, at)
    found = LearntReliabilities.of(truth.lessons, at, ends, difference)
    return {"reliabilities": found.to_json()}


def test_what_is_kept_comes_back() -> None:
    rows = learnt_in(about()).rows
    assert len(rows) == 5 * 2
    truth = plant(200)
    known = {(row.judge, row.question): (row.alpha, row.beta) for row in rows}
    assert known["j2", "q1"] == (
        round(float(truth.alpha[2, 1]), 6),
        round(float(truth.beta[2, 1]), 6),
    )
    assert all(row.alpha_low < row.alpha < row.alpha_high for row in rows)
    # differences are the truth here: the votes that agree are the right ones
    right = plant(200)
    own = right.lessons.votes.for_a[:, 2, 0] == right.is_a[:, 0]
    (row,) = (row for row in rows if (row.judge, row.question) == ("j2", "q0"))
    assert row.agrees == round(float(own.mean()), 6)


def test_the_table_has_a_row_a_judge_and_question() -> None:
    table = reliability_table(about())
    assert len(table.rows) == 10
    assert "[" in str(table.rows[0][3])
    assert not reliability_table({}).rows
