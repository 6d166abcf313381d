"""Heads of reward models against their plain formulas, written out by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from assize.base.errors import ConfigError

torch = pytest.importorskip("torch")

D, K, HIDDEN, B = 8, 4, 5, 3


def draw(*shape: int, seed: int = 0) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def armorm(**more: Any) -> dict[str, Any]:
    """The tensors of ArmoRM's head with a gate of two layers."""
    return {
        "regression_layer.weight": draw(K, D, seed=1),
        "gating.layers.0.weight": draw(HIDDEN, D, seed=2),
        "gating.layers.0.bias": draw(HIDDEN, seed=3),
        "gating.layers.1.weight": draw(K, HIDDEN, seed=4),
        "gating.layers.1.bias": draw(K, seed=5),
        "gating.logit_scale": torch.ones(1),
        "reward_transform_matrix": torch.eye(K) + 0.1 * draw(K, K, seed=6),
    } | more


def samer(**more: Any) -> dict[str, Any]:
    """The tensors of SaMer's three towers, two layers each, where its release has more."""
    found = {}
    for seed, tower in enumerate(("scoring_layer", "dimpred_layer", "weighting_layer")):
        found[f"score.{tower}.0.weight"] = draw(HIDDEN, D, seed=10 + seed)
        found[f"score.{tower}.3.weight"] = draw(HIDDEN, HIDDEN, seed=20 + seed)
        found[f"score.{tower}.8.weight"] = draw(K, HIDDEN, seed=30 + seed)
    return found | more


def softmax(values: list[float]) -> list[float]:
    raised = [math.exp(one - max(values)) for one in values]
    return [one / sum(raised) for one in raised]


def linear(weight: Any, states: list[float], bias: Any = None) -> list[float]:
    rows = [sum(w * x for w, x in zip(row, states, strict=True)) for row in weight.tolist()]
    return rows if bias is None else [a + b for a, b in zip(rows, bias.tolist(), strict=True)]


def test_armo_rm_is_its_formula_and_its_gate_sums_to_one() -> None:
    from assize.models.reward_heads import Quantiles

    tensors = armorm()
    head = Quantiles(tensors, SimpleNamespace(gating_temperature=10))
    last, prompt = draw(B, D, seed=7), draw(B, D, seed=8)
    with torch.inference_mode():
        parts = head.parts(last, prompt)
        rewards = head(last, prompt)
    assert {name: tuple(value.shape) for name, value in parts.items()} == {
        "score": (B,),
        "objectives": (B, K),
        "weights": (B, K),
    }
    assert parts["weights"].sum(dim=1).tolist() == pytest.approx([1.0] * B)
    assert rewards.tolist() == parts["score"].tolist()
    matrix = tensors["reward_transform_matrix"].tolist()
    for row in range(B):
        raw = linear(
            tensors["gating.layers.0.weight"], prompt[row].tolist(), tensors["gating.layers.0.bias"]
        )
        hidden = [max(0.0, one) for one in raw]
        logits = linear(tensors["gating.layers.1.weight"], hidden, tensors["gating.layers.1.bias"])
        weights = softmax([one / 10 for one in logits])
        objectives = linear(tensors["regression_layer.weight"], last[row].tolist())
        adjusted = [sum(objectives[i] * matrix[i][j] for i in range(K)) for j in range(K)]
        assert parts["weights"][row].tolist() == pytest.approx(weights, abs=1e-5)
        assert parts["objectives"][row].tolist() == pytest.approx(objectives, abs=1e-5)
        reward = sum(w * a for w, a in zip(weights, adjusted, strict=True))
        assert float(rewards[row]) == pytest.approx(reward, abs=1e-5)


def test_sa_mer_averages_the_scores_of_the_dimensions_that_the_prompt_calls_for() -> None:
    from assize.models.reward_heads import HEADS, Scenario

    tensors = samer()
    assert "score.scoring_layer.0.weight" in HEADS
    head = Scenario(tensors, None)
    last, prompt = draw(B, D, seed=7), draw(B, D, seed=8)
    with torch.inference_mode():
        parts = head.parts(last, prompt)

    def tower(name: str, states: list[float]) -> list[float]:
        for place in (0, 3, 8):
            if place:
                states = [one / (1 + math.exp(-one)) for one in states]
            states = linear(tensors[f"score.{name}.{place}.weight"], states)
        return states

    for row in range(B):
        scores = [1 / (1 + math.exp(-x)) for x in tower("scoring_layer", last[row].tolist())]
        called = tower("dimpred_layer", prompt[row].tolist())
        raw = tower("weighting_layer", last[row].tolist())
        kept = [k for k in range(K) if called[k] > 0]
        assert parts["objectives"][row].tolist() == pytest.approx(scores, abs=1e-5)
        assert parts["called"][row].tolist() == pytest.approx(called, rel=1e-4, abs=1e-4)
        if not kept:
            assert math.isnan(float(parts["score"][row]))
            continue
        weights = softmax([raw[k] for k in kept])
        overall = sum(w * scores[k] for w, k in zip(weights, kept, strict=True))
        assert float(parts["score"][row]) == pytest.approx(overall, abs=1e-5)
        assert 0 < overall < 1
        left = [k for k in range(K) if k not in kept]
        assert all(float(parts["weights"][row][k]) == 0 for k in left)


def test_sa_mer_has_no_reward_where_nothing_is_called_for() -> None:
    from assize.models.reward_heads import Scenario

    tensors = samer()
    tensors["score.dimpred_layer.8.weight"] = torch.zeros(K, HIDDEN)
    head = Scenario(tensors, None)
    with torch.inference_mode():
        assert bool(torch.isnan(head(draw(B, D), draw(B, D))).all())


def test_towers_that_do_not_fit_are_refused() -> None:
    from assize.models.reward_heads import Scenario

    with pytest.raises(ConfigError, match="differ in how many dimensions"):
        Scenario(samer(**{"score.dimpred_layer.8.weight": draw(K + 1, HIDDEN)}), None)
    lacking = {name: one for name, one in samer().items() if "weighting" not in name}
    with pytest.raises(KeyError, match="weighting_layer"):
        Scenario(lacking, None)
