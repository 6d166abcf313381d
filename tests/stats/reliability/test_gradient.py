"""L-BFGS finds what EM finds, and its slopes are the finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from tests.stats.reliability.lbfgs import _Layout, _value_and_slope, descend
from tests.stats.reliability.simulated import cells_without_gold, simulated

from assize.stats import Priors
from assize.stats._reliability import Votes
from assize.stats._reliability.cells import cells_of
from assize.stats._reliability.em import Model, State, climb

MODELS = {
    "free": Model(),
    "tied": Model(tied=True),
    "even": Model(tied=True, even=True),
    "priors": Model(priors=Priors(right=3, wrong=1, answer=2)),
}


def with_ties(seed: int, pairs: int) -> Votes:
    """Votes of which a third are ties, more of them where judges disagree."""
    votes = simulated(pairs, seed).votes
    tie = np.random.default_rng(seed).random(votes.shape) < 0.33
    return Votes(votes.for_a * ~tie, votes.for_b * ~tie, tie.astype(float))


def start(model: Model, rng: np.random.Generator) -> State:
    skill = rng.uniform(0.55, 0.8, (2, 1, 8))
    if model.tied:
        skill[1] = skill[0]
    return State(skill[0], skill[1], np.array([[0.5, 0.5]]))


@pytest.mark.parametrize("name", MODELS)
def test_slopes_are_the_finite_differences(name: str) -> None:
    model, votes = MODELS[name], with_ties(1, 60)
    known = np.full(60, -1)
    known[:5] = [0, 1, 0, 1, 0]
    cells = cells_of(votes, 0, known)
    first = start(model, np.random.default_rng(0))
    layout = _Layout(model, first)
    at = layout.packed(first)
    _, slope = _value_and_slope(at, cells, layout, 1.0)
    for place in range(len(at)):
        step = np.zeros_like(at)
        step[place] = 1e-5
        ends = [_value_and_slope(at + sign * step, cells, layout, 1.0)[0] for sign in (1, -1)]
        assert slope[place] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-4)


@pytest.mark.parametrize("name", MODELS)
def test_it_agrees_with_em(name: str) -> None:
    model, votes = MODELS[name], with_ties(2, 1_000)
    cells = cells_without_gold(votes)
    first = start(model, np.random.default_rng(1))
    steps = climb(cells, first, model, iterations=50).state
    one = climb(cells, steps, model, iterations=5_000, tolerance=1e-12)
    two = descend(cells, steps, model)
    assert two.converged
    assert two.objective[0] == pytest.approx(one.objective[0], abs=0.01)
    for name in ("alpha", "beta", "share"):
        learnt, known = getattr(two.state, name), getattr(one.state, name)
        assert learnt == pytest.approx(known, abs=0.003)
