"""The crowd layer: gradients, its own definition, and judges who are planted."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.evaluator.study.planted import held_out_accuracy, planted, without_sides

from assize.base.errors import DataError
from assize.evaluator._study.crowd_layer import (
    Variant,
    cross_entropy,
    crowd_layer,
    first_parameters,
)
from assize.evaluator._study.learners import from_targets, gold_labels

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
    reached = held_out_accuracy(data, lambda pairs, rows: crowd_layer(pairs, rows, variant))
    assert reached > held_out_accuracy(data, from_targets(gold_labels)) - 0.03


def test_ties_are_a_third_answer_and_no_vote_for_a_side_is_refused() -> None:
    data = planted(n=400, ties=0.3)
    assert held_out_accuracy(data, crowd_layer) > 0.75
    with pytest.raises(DataError, match="nothing to learn"):
        crowd_layer(without_sides(data), np.arange(200))
