"""An evaluator as a model of transformers: a backbone, pooling, and the head's numbers.

This file stands on torch and transformers alone, because a copy of it travels with every exported
model. Importing it registers the classes, so that `AutoModelForSequenceClassification` opens an
exported folder without running any code from it.

Design: the head stays in 32-bit numbers whatever the backbone has, because it divides by small
deviations; towers and members are those of the head `network`, and a linear head is one tower of
one layer; logits are the evaluator's raw numbers, higher being better.

Letters: B dialogues, T tokens, D dimension, M members, I inputs and O outputs of a layer, H logits.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForSequenceClassification,
    PretrainedConfig,
    PreTrainedModel,
)
from transformers.modeling_outputs import SequenceClassifierOutput

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": nn.functional.relu,
    "tanh": torch.tanh,
    "silu": nn.functional.silu,
}


class AssizeConfig(PretrainedConfig):  # type: ignore[no-untyped-call]  # as transformers has it
    """What an exported evaluator is made of.

    Args:
        backbone: the settings of the backbone, with its `model_type`.
        pooling: `last`, `mean` or `cls`.
        layer: whose states are pooled, counted from 0; None is the last.
        activation: of hidden layers: `relu`, `tanh` or `silu`.
        members: how many networks the logits are the mean of.
        towers: a dict each, with `layers` (how many outputs each has) and `linear`.
        clip: standard deviations beyond which a feature pulls no further.
        window: most tokens that are read.
    """

    model_type = "assize-evaluator"

    def __init__(
        self,
        backbone: dict[str, Any] | None = None,
        pooling: str = "last",
        layer: int | None = None,
        activation: str = "relu",
        members: int = 1,
        towers: list[dict[str, Any]] | None = None,
        clip: float = 5.0,
        window: int = 8192,
        **more: Any,
    ) -> None:
        self.backbone = {} if backbone is None else backbone
        self.pooling = pooling
        self.layer = layer
        self.activation = activation
        self.members = members
        self.towers = [] if towers is None else towers
        self.clip = clip
        self.window = window
        super().__init__(**more)


class Tower(nn.Module):
    """M perceptrons of one shape, and a linear part past their hidden layers where there is one."""

    def __init__(self, members: int, sizes: list[int], linear: bool) -> None:
        super().__init__()
        shapes = list(pairwise(sizes))
        self.weights = nn.ParameterList(torch.zeros(members, *shape) for shape in shapes)
        self.biases = nn.ParameterList(torch.zeros(members, shape[1]) for shape in shapes)
        self.linear = nn.Parameter(torch.zeros(members, sizes[0], sizes[-1])) if linear else None

    def forward(self, features: Tensor, activation: str) -> Tensor:
        """Outputs (M, B, O) of standardised features (B, D)."""
        hidden = features
        last = len(self.weights) - 1
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            hidden = hidden @ weight + bias[:, None]  # (M, B, O)
            if place < last:
                hidden = ACTIVATIONS[activation](hidden)
        return hidden if self.linear is None else hidden + features @ self.linear


class Head(nn.Module):
    """Raw numbers from vectors: standardised, clipped, and through the towers."""

    def __init__(self, config: AssizeConfig, dimension: int) -> None:
        super().__init__()
        self.clip, self.activation = config.clip, config.activation
        self.towers = nn.ModuleList(
            Tower(config.members, [dimension, *one["layers"]], bool(one["linear"]))
            for one in config.towers
        )
        outputs = sum(one["layers"][-1] for one in config.towers)
        for name, size in (("center", dimension), ("scale", dimension), ("gain", dimension)):
            self.register_buffer(name, torch.ones(size))
        self.register_buffer("spread", torch.ones(outputs))

    def forward(self, vectors: Tensor) -> Tensor:
        """Logits (B, H) of vectors (B, D)."""
        center, scale, gain, spread = (
            self.get_buffer(name) for name in ("center", "scale", "gain", "spread")
        )
        standard = ((vectors - center) / scale).clamp(-self.clip, self.clip) * gain
        outputs = [tower(standard, self.activation) for tower in self.towers]
        found: Tensor = torch.cat(outputs, dim=2).mean(dim=0) / spread
        return found


class AssizeForSequenceClassification(PreTrainedModel):  # type: ignore[no-untyped-call]
    """An exported evaluator: token ids of dialogues in, a raw number a question out."""

    config_class = AssizeConfig
    base_model_prefix = "backbone"
    _keep_in_fp32_modules = ["head"]  # noqa: RUF012  # as the base class has it
    _keep_in_fp32_modules_strict = ["head"]  # noqa: RUF012
    supports_gradient_checkpointing = True
    _supports_sdpa = True
    _supports_flash_attn = True

    def __init__(self, config: AssizeConfig, backbone: Any = None) -> None:
        super().__init__(config)
        if backbone is None:
            settings = dict(config.backbone)
            inner = AutoConfig.for_model(settings.pop("model_type"), **settings)
            make: Any = AutoModel.from_config
            backbone = make(inner)
        self.backbone = backbone
        self.head = Head(config, int(backbone.config.get_text_config().hidden_size))
        ready: Any = self.post_init
        ready()

    def _init_weights(self, module: nn.Module) -> None:
        """Nothing is drawn: every weight is read from the file."""

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        **more: Any,
    ) -> SequenceClassifierOutput:
        """Logits (B, H); `loss` where `labels` (B, H) are given, the mean squared difference.

        Raises:
            ValueError: a dialogue has more tokens than the evaluator reads in one window.
        """
        mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        longest = int(mask.sum(dim=1).max())
        if longest > self.config.window:
            raise ValueError(f"{longest} tokens are more than the {self.config.window} it reads")
        answer = self.backbone(
            input_ids=input_ids,
            attention_mask=mask,
            output_hidden_states=self.config.layer is not None,
        )
        states = (
            answer.last_hidden_state
            if self.config.layer is None
            else answer.hidden_states[self.config.layer]
        )
        vectors = self._pooled(states, mask.to(states.device))
        unit = vectors / vectors.norm(dim=1, keepdim=True).clamp_min(1e-30)
        logits = self.head(unit)
        loss = None if labels is None else nn.functional.mse_loss(logits, labels.float())
        return SequenceClassifierOutput(loss=loss, logits=logits)

    def _pooled(self, states: Tensor, mask: Tensor) -> Tensor:
        """Vectors (B, D) of states (B, T, D), padded on either side."""
        each = torch.arange(len(states), device=states.device)
        if self.config.pooling == "mean":
            summed = torch.matmul(mask[:, None].float(), states.float())[:, 0]
            return summed / mask.sum(dim=1, keepdim=True)
        places = torch.arange(states.shape[1], device=states.device)
        if self.config.pooling == "cls":
            return states[each, mask.argmax(dim=1)].float()
        return states[each, (mask * places).argmax(dim=1)].float()


AutoConfig.register(AssizeConfig.model_type, AssizeConfig, exist_ok=True)
AutoModelForSequenceClassification.register(
    AssizeConfig, AssizeForSequenceClassification, exist_ok=True
)
