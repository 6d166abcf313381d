"""The crowd layer: gradients, its own definition, and judges who are planted."""

from __future__ import annotations

import numpy as np
import pytest
import torch
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


def entropy(counts: object, d: float, variant: Variant, judges: int) -> float:
    given = torch.tensor(counts).double()
    start = torch.tensor(first_parameters(variant, judges, 2))
    return cross_entropy(given, torch.tensor([d]).double(), start, variant).item()


@pytest.mark.parametrize("variant", VARIANTS)
def test_layers_begin_as_what_changes_nothing(variant: Variant) -> None:
    # one vote for A at d = 0.5, two answers: p = sigmoid(1) = 0.731059 and 0.268941; the layer
    # passes them on, and minus the log of softmax(p) at A is log(1 + exp(0.268941 - 0.731059))
    found = entropy([[[1.0, 0.0]]], 0.5, variant, judges=1)
    assert found == pytest.approx(np.log1p(np.exp(0.268941 - 0.731059)), abs=1e-6)


def test_a_judge_without_a_vote_on_a_pair_does_not_count_there() -> None:
    both = entropy([[[1.0, 0], [0, 0]]], 0.5, "MW", judges=2)
    assert both == pytest.approx(entropy([[[1.0, 0]]], 0.5, "MW", judges=1))


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
