"""Several judges as one: by hand, and judges who are planted."""

from __future__ import annotations

import numpy as np
from tests.evaluator.measuring.tasks_of import NAN, said, task

from assize.evaluator._measuring.together import (
    average_scoring,
    dawid_skene_vote,
    majority_vote,
    together,
)


def test_the_side_of_most_wins_and_equal_counts_tie_but_lean() -> None:
    judges = [said([1, 1, 1, NAN]), said([1, -1, 0, NAN]), said([-1, 0, 0, NAN])]
    found = majority_vote(task([0.0] * 4), judges)
    np.testing.assert_array_equal(found.values, [1, 0, 0, NAN])
    np.testing.assert_array_equal(found.lean, [1, 0, 1, NAN])


def test_of_ratings_the_most_frequent_counts_or_the_mean_of_those_that_share_it() -> None:
    judges = [said([1, 1, NAN]), said([1, 3, NAN]), said([5, NAN, NAN])]
    found = majority_vote(task([0.0] * 3, "conversation"), judges)
    np.testing.assert_array_equal(found.values, [1, 2, NAN])


def test_averages_are_of_one_scale() -> None:
    gold, of_ten = task(np.zeros(3), "turn"), said([2, 4, 6], answered="rating")
    same = average_scoring(gold, [of_ten, said([4, NAN, 8], answered="rating")])
    np.testing.assert_array_equal(same.values, [3, 4, 7])
    mixed = average_scoring(gold, [of_ten, said([0.2, 0.4, 0.6], answered="overall")])
    np.testing.assert_allclose(mixed.values, [-1.224745, 0, 1.224745], atol=1e-6)


def test_reliable_judges_outvote_a_majority_that_guesses() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice([1.0, -1.0], 600)
    rates = [0.95, 0.9, 0.5, 0.5, 0.5]
    judges = [said(np.where(rng.random(600) < rate, truth, -truth)) for rate in rates]
    right = {
        one.name: float((one.values == truth).mean())
        for one in (
            majority_vote(task(truth), judges),
            dawid_skene_vote(task(truth), judges),
        )
    }
    assert right["Dawid-Skene"] > 0.93
    assert right["Dawid-Skene"] > right["majority vote"] + 0.05


def test_ties_alone_are_a_tie_and_no_vote_is_none() -> None:
    judges = [said([1, 0, NAN]), said([1, 0, NAN])]
    found = dawid_skene_vote(task([0.0] * 3), judges)
    np.testing.assert_array_equal(found.values, [1, 0, NAN])


def test_one_judge_is_no_jury() -> None:
    assert together(task([0.0] * 2), [said([1, -1]), said([NAN, NAN])]) == []
    pair = [said([1, -1]), said([1, -1])]
    assert [one.name for one in together(task([0.0] * 2), pair)] == ["majority vote", "Dawid-Skene"]
    rated = [one.name for one in together(task([0.0] * 2, "turn"), pair)]
    assert rated == ["majority vote", "average scoring"]
