"""Targets made of votes: by hand, and planted judges."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluator.study.planted import accuracy, planted

from assize.evaluator._study.targets import TARGETS, average, majority
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.stats._reliability import Votes

NAN = float("nan")
ROWS = np.arange(4)


def data(signs: list[list[float]]) -> VotedPairs:
    n = len(signs)
    return VotedPairs(
        tuple(map(str, range(n))),
        np.zeros((n, 1)),
        np.zeros((n, 1)),
        ("i", "j", "k"),
        Votes.from_signs(signs),
        np.zeros(n),
        np.arange(n),
        1,
    )


SIGNS: list[list[float]] = [[1, 1, -1], [1, -1, NAN], [0, 0, 1], [NAN, NAN, NAN]]


def test_the_majority_and_the_average_by_hand() -> None:
    given = data(SIGNS)
    np.testing.assert_array_equal(majority(given, ROWS), [1, 0, 0, NAN])
    np.testing.assert_allclose(average(given, ROWS), [1 / 3, 0, 1 / 3, NAN])


def test_a_judge_with_many_votes_counts_as_one_in_the_average() -> None:
    given = data(SIGNS[:1])
    given.votes.for_a[0, 0, 0] = 9.0
    assert average(given, np.arange(1))[0] == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", ["Dawid-Skene", "learnt reliabilities"])
def test_posteriors_follow_the_reliable_judge(name: str) -> None:
    rates = {"good": 0.95, "fair": 0.8, "weak": 0.7, "guess": 0.5, "other guess": 0.5}
    made, rows = planted(rates, n=800), np.arange(800)
    found = TARGETS[name](made, rows)
    assert ((found >= -1) & (found <= 1)).all()
    right, of_most = (accuracy(made, rows, said) for said in (found, majority(made, rows)))
    assert right > max(0.9, of_most + 0.05)


def test_ties_alone_are_even_and_no_vote_is_none() -> None:
    given = data([[0, 0, NAN], [NAN, NAN, NAN], [1, 1, 1], [-1, -1, -1]])
    for name in ("Dawid-Skene", "learnt reliabilities"):
        np.testing.assert_array_equal(np.sign(TARGETS[name](given, ROWS)), [0, NAN, 1, -1])
        assert TARGETS[name](data([[0, 0, NAN]]), np.arange(1)).tolist() == [0.0]
