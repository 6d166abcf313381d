"""One question as it is looked at: numbers, counts, answers in words."""

from __future__ import annotations

import numpy as np
from tests.spread.simulated import LIKERT, NAN, look, of_scores

from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.spread import gather_ratings
from assize.spread.density import CELLS, Grid


def test_numbers_are_means_of_conversations_or_each_raters() -> None:
    ratings = of_scores(np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN]]))
    assert look(ratings).numbers.tolist() == [1.5, 4.0, 3.0]
    assert sorted(look(ratings, apart=True).numbers.tolist()) == [1, 2, 3, 4]


def test_what_failed_and_what_does_not_apply_are_counted_where_nobody_answered() -> None:
    rows = [
        Judgment("a", "ann", "q", answer="4"),
        Judgment("a", "bob", "q", unscored=Unscored("skipped", "")),
        Judgment("b", "ann", "q", unscored=Unscored("skipped", "")),
        Judgment("c", "ann", "q", answer="NA"),
    ]
    counts = look(gather_ratings(JudgmentTable.of(rows, [LIKERT]))).counts(np.zeros(3, int), 1)
    assert (counts.n[0], counts.unscored[0], counts.not_applicable[0]) == (1, 1, 1)


def test_raters_kept_apart_are_counted_on_the_grid_as_often_as_they_are_drawn() -> None:
    one = look(of_scores(np.array([[1.0, 4.0], [1.0, NAN]])))
    counts = one.count_apart(Grid(1.0, 4.0))(one.observed)
    assert counts[0, [0, CELLS - 1]].tolist() == [2, 1]
