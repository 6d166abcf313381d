"""EM: a step by hand, the house's Dawid-Skene as its peer, what never falls, and where it ends."""

from __future__ import annotations

import numpy as np
import pytest
from tests.stats.reliability.simulated import cells_without_gold, simulated

from assize.stats import Labels, Priors, dawid_skene
from assize.stats._reliability import Votes
from assize.stats._reliability.cells import cells_of
from assize.stats._reliability.em import PRIORS, Model, State, climb, expect, maximise, penalty


def start(judges: int, skill: float = 0.7) -> State:
    rows = np.full((1, judges), skill)
    return State(rows, rows, np.full((1, 2), 0.5))


def test_one_step_by_hand() -> None:
    # Two judges at 0.8: A and A gives odds (0.8 / 0.2)^2 = 16, posterior 16/17; A and B 1/2.
    # Then judge 0, A twice: right for A 16/17 + 1/2 = 1.4412 of as many; with one pseudo-vote
    # right and one wrong alpha is 2.4412 / 3.4412. beta: right 0, wrong 1/17 + 1/2.
    found = cells_without_gold(Votes.from_signs([[1, 1], [1, -1]]))
    said = expect(found, start(2, skill=0.8))
    assert said.posterior[0, :, 0] == pytest.approx([16 / 17, 0.5])
    assert said.log_likelihood[0] == pytest.approx(np.log([0.34, 0.16]))
    after = maximise(found, said.posterior, found.count[None], Model())
    assert after.alpha[0, 0] == pytest.approx(2.441176 / 3.441176)
    assert after.beta[0, 0] == pytest.approx(1 / (2 + 1 / 17 + 0.5))
    assert after.share[0, 0] == pytest.approx((16 / 17 + 0.5 + 1) / 4)


def test_it_comes_to_what_dawid_and_skenes_algorithm_comes_to() -> None:
    votes = simulated(600, 1).votes
    pair, judge, _ = np.nonzero(votes.for_a + votes.for_b)
    side = (votes.for_b[pair, judge, 0] > 0).astype(int)
    peer = dawid_skene(Labels.of(pair, judge, side), iterations=2_000, tolerance=1e-10)
    found = climb(cells_without_gold(votes), start(8), Model(priors=Priors()), tolerance=1e-12)
    assert found.state.alpha[0] == pytest.approx(peer.confusion[:, 0, 0], abs=2e-4)
    assert found.state.beta[0] == pytest.approx(peer.confusion[:, 1, 1], abs=2e-4)
    assert found.log_likelihood[0] == pytest.approx(peer.log_likelihood, abs=1e-3)


MODELS = [
    Model(),
    Model(tied=True),
    Model(tied=True, even=True),
    Model(priors=Priors()),
    Model(priors=Priors(right=3, wrong=1, answer=2)),
]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("step", [-1e-3, 1e-3])
def test_whatever_is_near_the_end_is_less_likely(model: Model, step: float) -> None:
    known = np.full(1_000, -1)
    known[:5] = [0, 1, 0, 1, 0]
    cells = cells_of(simulated(1_000, 2).votes, 0, known)
    end = climb(cells, start(8), model, iterations=5_000, tolerance=1e-12)
    learnt = end.state
    moved = []
    for judge in range(6):  # those after them are at an end of the scale without priors
        nudge = step * (np.arange(8) == judge)
        beta = learnt.beta + nudge if model.tied else learnt.beta
        moved.append(State(learnt.alpha + nudge, beta, learnt.share))
        if not model.tied:
            moved.append(State(learnt.alpha, learnt.beta + nudge, learnt.share))
    if not model.even:
        moved.append(State(learnt.alpha, learnt.beta, learnt.share + np.array([[step, -step]])))
    for state in moved:
        likelihood = expect(cells, state).log_likelihood[0] @ cells.count
        assert likelihood + penalty(state, model)[0] < end.objective[0]


@pytest.mark.parametrize("model", MODELS)
def test_the_penalised_likelihood_never_falls_and_shared_parameters_are_shared(
    model: Model,
) -> None:
    found = cells_without_gold(simulated(200, 2).votes)
    state, before = start(8), -np.inf
    for _ in range(15):
        state = climb(found, state, model, iterations=1).state
        said = expect(found, state).log_likelihood[0] @ found.count
        now = float(said + penalty(state, model)[0])
        assert now > before - 1e-9
        before = now
    assert not model.tied or state.alpha == pytest.approx(state.beta)
    assert not model.even or state.share[0].tolist() == [0.5, 0.5]


def test_known_labels_are_what_they_are() -> None:
    found = cells_of(Votes.from_signs([[1, 1]] * 3), 0, np.array([1, 0, -1]))
    posterior = expect(found, start(2)).posterior[0, :, 0]
    assert posterior[:2].tolist() == [0, 1]
    assert 0 < posterior[2] < 1


def test_several_states_climb_as_each_alone() -> None:
    found = cells_without_gold(simulated(200, 4).votes)
    one, other = start(8), start(8, skill=0.6)
    both = State(
        *(np.concatenate([getattr(one, name), getattr(other, name)]) for name in State.__slots__)
    )
    together = climb(found, both, Model(), iterations=20, tolerance=0).state
    alone = climb(found, other, Model(), iterations=20, tolerance=0).state
    assert together.alpha[1] == pytest.approx(alone.alpha[0])


def test_a_flipped_state_says_the_same_of_the_votes() -> None:
    found = cells_without_gold(simulated(100, 5).votes)
    state = climb(found, start(8), Model(), iterations=5).state
    one, two = expect(found, state), expect(found, state.flipped())
    assert two.log_likelihood == pytest.approx(one.log_likelihood)
    assert two.posterior[:, :, 0] == pytest.approx(one.posterior[:, :, 1])
    assert penalty(state, Model()) == pytest.approx(penalty(state.flipped(), Model()))
    assert PRIORS.right == PRIORS.wrong
