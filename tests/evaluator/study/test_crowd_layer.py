"""The crowd layer: gradients, its own definition, and judges who are planted."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluator.study.planted import accuracy, halves, planted

from assize.base.errors import DataError
from assize.evaluator._study.crowd_layer import (
    Variant,
    cross_entropy,
    crowd_layer,
    first_parameters,
)
from assize.evaluator._study.linear_head import design
from assize.stats._reliability import Votes

VARIANTS: tuple[Variant, ...] = ("MW", "VW", "VW-B")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("answers", [2, 3])
def test_gradients_are_those_of_finite_differences(variant: Variant, answers: int) -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 3, (7, 2, answers)).astype(float)
    d = rng.normal(size=7)
    more = first_parameters(variant, 2, answers)
    more = more + rng.normal(scale=0.4, size=len(more))
    found = cross_entropy(counts, d, more, variant)
    h = 1e-6
    for place in range(7):
        step = h * (np.arange(7) == place)
        slope = (
            cross_entropy(counts, d + step, more, variant).value
            - cross_entropy(counts, d - step, more, variant).value
        ) / (2 * h)
        assert found.difference[place] == pytest.approx(slope, abs=1e-6)
    for place in range(len(more)):
        step = h * (np.arange(len(more)) == place)
        slope = (
            cross_entropy(counts, d, more + step, variant).value
            - cross_entropy(counts, d, more - step, variant).value
        ) / (2 * h)
        assert found.more[place] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("variant", VARIANTS)
def test_layers_begin_as_what_changes_nothing(variant: Variant) -> None:
    # one vote for A at d = 0.5, two answers: p = sigmoid(1) = 0.731059 and 0.268941; the layer
    # passes them on, and minus the log of softmax(p) at A is log(1 + exp(0.268941 - 0.731059))
    counts = np.array([[[1.0, 0.0]]])
    found = cross_entropy(counts, np.array([0.5]), first_parameters(variant, 1, 2), variant)
    assert found.value == pytest.approx(np.log1p(np.exp(0.268941 - 0.731059)), abs=1e-6)


def test_a_judge_without_a_vote_on_a_pair_does_not_count_there() -> None:
    d, more = np.array([0.5]), first_parameters("MW", 2, 2)
    both = cross_entropy(np.array([[[1.0, 0], [0, 0]]]), d, more, "MW")
    alone = cross_entropy(np.array([[[1.0, 0]]]), d, first_parameters("MW", 1, 2), "MW")
    assert both.value == pytest.approx(alone.value)


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_adversary_is_seen_through(variant: Variant) -> None:
    data = planted({"good": 0.85, "fair": 0.75, "liar": 0.1}, n=400)
    fitted, held = halves(data)
    from_gold = design(data, fitted).of_targets(data.truth[fitted])  # what there is to be reached
    reached = accuracy(data, held, crowd_layer(data, fitted, variant)(data, held))
    assert reached > accuracy(data, held, from_gold(data, held)) - 0.03


def test_ties_are_a_third_answer_and_no_vote_for_a_side_is_refused() -> None:
    data = planted(n=400, ties=0.3)
    fitted, held = halves(data)
    assert accuracy(data, held, crowd_layer(data, fitted, "MW")(data, held)) > 0.75
    zeros = np.zeros_like(data.votes.for_a)
    nothing = Votes(zeros, zeros, data.votes.ties)
    object.__setattr__(data, "votes", nothing)
    with pytest.raises(DataError, match="nothing to learn"):
        crowd_layer(data, fitted)
