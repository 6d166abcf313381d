"""The heads of reward models: from a backbone's states to a reward, and to what it is made of.

Design choices
- A head is made of the tensors of a checkpoint alone, and recognised by their names.
- `forward` gives the reward; `parts` gives it with all that it is made of, for judges that say
  more than which of two is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from assize.base.errors import ConfigError

_MATRIX = "reward_transform_matrix"
_TEMPERATURE = 10.0  # of ArmoRM's and QRM's gates where the config says nothing
PREFIXES = ("score.", "regression_layer.", "gating.", _MATRIX)
"""How the names of a head's tensors begin."""


class Linear(nn.Module):
    """One logit from the last token's state, as Skywork-Reward's."""

    def __init__(self, tensors: Mapping[str, Tensor], config: Any) -> None:
        super().__init__()
        self.score = linear(tensors, "score")
        if self.score.out_features != 1:
            raise ConfigError(f"its head has {self.score.out_features} logits; a reward is one")

    def forward(self, last: Tensor, prompt: Tensor) -> Tensor:
        """Rewards (B,) from states of the last and of the prompt's end token, (B, D) each."""
        return self.score(last)[:, 0]  # type: ignore[no-any-return]


class MLP(nn.Module):
    """Two layers with a ReLU between, as INF-ORM's."""

    def __init__(self, tensors: Mapping[str, Tensor], config: Any) -> None:
        super().__init__()
        self.first, self.second = linear(tensors, "score.0"), linear(tensors, "score.2")

    def forward(self, last: Tensor, prompt: Tensor) -> Tensor:
        """As `Linear`."""
        return self.second(torch.relu(self.first(last)))[:, 0]  # type: ignore[no-any-return]


class Quantiles(nn.Module):
    """Quantiles of several attributes, weighed by a gate that sees the prompt; the reward is their
    mean. ArmoRM has one number an attribute, and a matrix that takes verbosity out of each.

    Source: Dorka (2024), sections 3.2 and 3.3; Wang et al. (2024), section 3.2, for the gate and
    the matrix.
    """

    def __init__(self, tensors: Mapping[str, Tensor], config: Any) -> None:
        super().__init__()
        self.regression = linear(tensors, "regression_layer")
        names = sorted(
            (name for name in tensors if name.startswith("gating.layers.") and "weight" in name),
            key=lambda name: int(name.split(".")[2]),
        )
        self.gate = nn.ModuleList(linear(tensors, name.rsplit(".", 1)[0]) for name in names)
        self.attributes = int(tensors[names[-1]].shape[0])
        if self.regression.out_features % self.attributes:
            raise ConfigError(
                f"its {self.regression.out_features} quantiles are no multiple of the gate's"
                f" {self.attributes} attributes"
            )
        self.temperature = float(getattr(config, "gating_temperature", None) or _TEMPERATURE)
        matrix = tensors.get(_MATRIX)
        if matrix is not None and matrix.shape != (self.attributes, self.attributes):
            raise ConfigError(f"its {_MATRIX} has the shape {tuple(matrix.shape)}")
        self.register_buffer("matrix", matrix)
        scale = tensors.get("gating.logit_scale")
        self.scale = 1.0 if scale is None else float(scale.flatten()[0])

    def forward(self, last: Tensor, prompt: Tensor) -> Tensor:
        """As `Linear`."""
        return self.parts(last, prompt)["score"]

    def parts(self, last: Tensor, prompt: Tensor) -> dict[str, Tensor]:
        """The reward `score` (B,), each attribute's own in `objectives` (B, K) as the regression
        gives it, and the gate's `weights` (B, K) on those that the matrix has adjusted."""
        quantiles = self.regression(last).view(len(last), self.attributes, -1)  # (B, K, Q)
        gate = prompt
        for at, layer in enumerate(self.gate):
            gate = layer(gate) if at == len(self.gate) - 1 else torch.relu(layer(gate))
        weights = torch.softmax(gate / self.temperature, dim=1) * self.scale  # (B, K)
        objectives = quantiles.mean(dim=2)  # (B, K)
        adjusted = objectives if self.matrix is None else objectives @ self.matrix
        return {
            "score": (weights * adjusted).sum(dim=1),
            "objectives": objectives,
            "weights": weights,
        }


class Scenario(nn.Module):
    """SaMer's three towers: which dimensions the prompt calls for, a score and a weight for each.

    The reward is the mean of the called-for dimensions' scores, as probabilities, by the softmax of
    their weights; it lies in (0, 1), and is NaN where the prompt calls for no dimension.

    Source: Feng et al. (2025), section 3, and its release. Differs: which dimensions are called for
    is read off the prompt's last token within the whole conversation, which under causal attention
    is its state in a pass of its own.
    """

    def __init__(self, tensors: Mapping[str, Tensor], config: Any) -> None:
        super().__init__()
        self.scoring = _tower(tensors, "score.scoring_layer")
        self.calling = _tower(tensors, "score.dimpred_layer")
        self.weighing = _tower(tensors, "score.weighting_layer")
        sizes = {tower[-1].out_features for tower in (self.scoring, self.calling, self.weighing)}
        if len(sizes) > 1:
            raise ConfigError(f"its towers differ in how many dimensions they have: {sizes}")

    def forward(self, last: Tensor, prompt: Tensor) -> Tensor:
        """As `Linear`."""
        return self.parts(last, prompt)["score"]

    def parts(self, last: Tensor, prompt: Tensor) -> dict[str, Tensor]:
        """The reward `score` (B,); of each dimension its score in (0, 1) as `objectives` (B, K),
        its share in the reward as `weights` (B, K), and `called` (B, K), the logit by which the
        prompt calls for it where it is above 0."""
        objectives = torch.sigmoid(_through(self.scoring, last))  # (B, K)
        called = _through(self.calling, prompt)  # (B, K)
        raw = _through(self.weighing, last).masked_fill(called <= 0, -torch.inf)
        weights = torch.softmax(raw, dim=1)  # (B, K), NaN where nothing is called for
        return {
            "score": (weights * objectives).sum(dim=1),
            "objectives": objectives,
            "weights": weights,
            "called": called,
        }


Head = Linear | MLP | Quantiles | Scenario

HEADS: dict[str, type[Linear] | type[MLP] | type[Quantiles] | type[Scenario]] = {
    "regression_layer.weight": Quantiles,
    "score.scoring_layer.0.weight": Scenario,
    "score.0.weight": MLP,
    "score.weight": Linear,
}


def linear(tensors: Mapping[str, Tensor], name: str) -> nn.Linear:
    """The linear layer that two tensors make, or one where it has no bias."""
    weight, bias = tensors[f"{name}.weight"], tensors.get(f"{name}.bias")
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    layer.weight.data = weight
    if bias is not None:
        layer.bias.data = bias
    return layer


def _tower(tensors: Mapping[str, Tensor], name: str) -> nn.ModuleList:
    """The linear layers of a sequence; what stands between them has no tensors."""
    places = sorted(
        int(one.removeprefix(f"{name}.").split(".")[0])
        for one in tensors
        if one.startswith(f"{name}.") and one.endswith(".weight")
    )
    if not places:
        raise KeyError(f"{name}.0.weight")
    return nn.ModuleList(linear(tensors, f"{name}.{place}") for place in places)


def _through(tower: Sequence[nn.Module] | nn.ModuleList, states: Tensor) -> Tensor:
    """States (B, D) through a tower, with SiLU between its layers."""
    for at, layer in enumerate(tower):
        states = layer(nn.functional.silu(states) if at else states)
    return states
