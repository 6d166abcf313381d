from __future__ import annotations

import numpy as np
from tests.stats.reliability.simulated import cells_without_gold, simulated

from assize.stats._reliability import Votes
from assize.stats._reliability.cells import cells_of
from assize.stats._reliability.em import Model, climb
from assize.stats._reliability.starts import FINALISTS, started


def test_starts_differ_and_begin_above_one_half() -> None:
    votes = simulated(400, 1).votes
    cells = cells_without_gold(votes)
    found = started(cells, Model(), np.random.default_rng(0))
    assert 1 <= len(found.alpha) <= FINALISTS
    assert found.alpha[0].mean() + found.beta[0].mean() > 1


def test_a_judge_as_start_finds_the_maximum_that_the_majority_misses() -> None:
    # three good judges agree on one thing, five copies of a poor one on another: the majority
    # is the copies', and climbing from it alone stays there
    rng = np.random.default_rng(3)
    truth = rng.choice([-1.0, 1.0], 300)
    other = rng.choice([-1.0, 1.0], 300)
    good = np.where(rng.random((300, 9)) < 0.97, truth[:, None], -truth[:, None])
    poor = np.where(rng.random((300, 9)) < 0.93, other[:, None], -other[:, None])
    votes = Votes.from_signs(np.concatenate([good, poor, poor[:, :1]], axis=1))
    cells = cells_without_gold(votes)
    found = started(cells, Model(), np.random.default_rng(0))
    best = climb(cells, found.take(0), Model())
    said = best.expected.posterior[0][cells.row, 0] > 0.5
    assert max(np.mean(said == (truth > 0)), np.mean(said != (truth > 0))) > 0.95


def test_many_rows_are_thinned_and_known_ones_kept() -> None:
    votes = simulated(20_000, 2, votes=4).votes
    known = np.full(20_000, -1)
    known[:20] = 0
    cells = cells_of(votes, 0, known)
    assert len(cells.count) > 2_000
    assert len(started(cells, Model(), np.random.default_rng(0)).alpha) >= 1
