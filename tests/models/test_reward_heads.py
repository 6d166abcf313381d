"""Heads of reward models against their plain formulas, written out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, softmax

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
    plain = {name: one.numpy() for name, one in tensors.items()}
    first, second = (plain[f"gating.layers.{layer}.weight"] for layer in (0, 1))
    for row in range(B):
        hidden = np.maximum(0, first @ prompt[row].numpy() + plain["gating.layers.0.bias"])
        weights = softmax((second @ hidden + plain["gating.layers.1.bias"]) / 10)
        objectives = plain["regression_layer.weight"] @ last[row].numpy()
        reward = weights @ (objectives @ plain["reward_transform_matrix"])
        assert parts["weights"][row].numpy() == pytest.approx(weights, abs=1e-5)
        assert parts["objectives"][row].numpy() == pytest.approx(objectives, abs=1e-5)
        assert float(rewards[row]) == pytest.approx(reward, abs=1e-5)


def test_sa_mer_averages_the_scores_of_the_dimensions_that_the_prompt_calls_for() -> None:
    from assize.models.reward_heads import HEADS, Scenario

    tensors = samer()
    assert "score.scoring_layer.0.weight" in HEADS
    head = Scenario(tensors, None)
    last, prompt = draw(B, D, seed=7), draw(B, D, seed=8)
    with torch.inference_mode():
        parts = head.parts(last, prompt)

    def tower(name: str, states: np.ndarray) -> np.ndarray:
        for place in (0, 3, 8):
            if place:
                states = states * expit(states)
            states = tensors[f"score.{name}.{place}.weight"].numpy() @ states
        return states

    for row in range(B):
        scores = expit(tower("scoring_layer", last[row].numpy()))
        called = tower("dimpred_layer", prompt[row].numpy())
        raw = tower("weighting_layer", last[row].numpy())
        kept = called > 0
        assert parts["objectives"][row].numpy() == pytest.approx(scores, abs=1e-5)
        assert parts["called"][row].numpy() == pytest.approx(called, rel=1e-4, abs=1e-4)
        if not kept.any():
            assert np.isnan(float(parts["score"][row]))
            continue
        overall = softmax(raw[kept]) @ scores[kept]
        assert float(parts["score"][row]) == pytest.approx(overall, abs=1e-5)
        assert 0 < overall < 1
        assert not parts["weights"][row].numpy()[~kept].any()


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
