from __future__ import annotations

import numpy as np
import pytest
from tests.stats.reliability.simulated import cells_without_gold

from assize.stats._reliability import Votes
from assize.stats._reliability.dependence import discount, evidence, independence
from assize.stats._reliability.em import State


def copied(copies: int, pairs: int = 4_000) -> tuple[Votes, State]:
    """Three independent judges at 0.8, the first of them copied."""
    rng = np.random.default_rng(0)
    truth = rng.random(pairs) < 0.5
    right = rng.random((pairs, 3)) < 0.8
    signs = np.where(right == truth[:, None], 1.0, -1.0)
    signs = np.concatenate([np.repeat(signs[:, :1], copies, axis=1), signs[:, 1:]], axis=1)
    skill = np.full((1, copies + 2), 0.8)
    return Votes.from_signs(signs), State(skill, skill, np.full((1, 2), 0.5))


def test_evidence_by_hand() -> None:
    state = State(*(np.array([one]) for one in ([0.8], [0.6], [0.5, 0.5])))
    found = cells_without_gold(Votes.of([[1.0], [0.0]], [[0.0], [1.0]]))
    assert evidence(found, state) == pytest.approx([np.log(0.8 / 0.4), np.log(0.2 / 0.6)])


def test_copies_of_one_judge_count_as_one() -> None:
    # the truth given: the variance of 4 copies is 16, of 4 independent ones 4. With the other
    # two the design effect is (16 + 1 + 1) / 6 = 3; copies weigh 1/4 each
    votes, state = copied(4)
    found = cells_without_gold(votes)
    rng = np.random.default_rng(0)
    truth = (rng.random(4_000) < 0.5)[:, None]
    side = np.concatenate([truth, ~truth], axis=1).astype(float)
    counted = np.zeros((len(found.count), 2))
    np.add.at(counted, found.row, side)
    said = counted / counted.sum(axis=1, keepdims=True)
    assert discount(found, state, said) == pytest.approx(3, abs=0.1)
    assert independence(found, state, said) == pytest.approx([0.25] * 4 + [1, 1], abs=0.07)


def test_without_two_votes_on_a_pair_nothing_is_discounted_and_no_side_counts_nothing() -> None:
    state = State(*(np.full((1, 2), one) for one in (0.8, 0.8, 0.5)))
    said = np.array([[0.9, 0.1], [0.1, 0.9]])
    assert (
        discount(cells_without_gold(Votes.from_signs([[1, np.nan], [np.nan, -1]])), state, said)
        == 1
    )
    found = independence(cells_without_gold(Votes.from_signs([[1, 0], [-1, 0]])), state, said)
    assert found.tolist() == [pytest.approx(1), 0]
