"""The work behind `hf-reward:`: backbone states of a conversation, and a head that scores them.

Design choices
- No code from a checkpoint is run. The head is recognised by the names of its tensors, and the
  three shapes that are known are written out here; anything else is refused with what to do.
- Batches are padded on the right and the last real token is found by the mask, not by the pad
  token's id: many reward models use their end-of-turn token for padding.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from assize.errors import ConfigError, TooLongError
from assize.judgment import Usage
from assize.models.hf_engine import fingerprint
from assize.models.model import Reply, Request, wire
from assize.privacy import no_fetched_kernels, no_telemetry

_MATRIX = "reward_transform_matrix"
_TEMPERATURE = 10.0  # of ArmoRM's and QRM's gates where the config says nothing
_INDEX = "model.safetensors.index.json"
_SINGLE = "model.safetensors"


class Linear(nn.Module):
    """One logit from the last token's state, as Skywork-Reward's."""

    def __init__(self, tensors: Mapping[str, Tensor], config: Any) -> None:
        super().__init__()
        self.score = _linear(tensors, "score")
        if self.score.out_features != 1:
            raise ConfigError(f"its head has {self.score.out_features} logits; a reward is one")

    def forward(self, last: Tensor, prompt: Tensor) -> Tensor:
        """Rewards (B,) from states of the last and of the prompt's end token, (B, D) each."""
        return self.score(last)[:, 0]  # type: ignore[no-any-return]


class MLP(nn.Module):
    """Two layers with a ReLU between, as INF-ORM's."""

    def __init__(self, tensors: Mapping[str, Tensor], config: Any) -> None:
        super().__init__()
        self.first, self.second = _linear(tensors, "score.0"), _linear(tensors, "score.2")

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
        self.regression = _linear(tensors, "regression_layer")
        names = sorted(
            (name for name in tensors if name.startswith("gating.layers.") and "weight" in name),
            key=lambda name: int(name.split(".")[2]),
        )
        self.gate = nn.ModuleList(_linear(tensors, name.rsplit(".", 1)[0]) for name in names)
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
        quantiles = self.regression(last).view(len(last), self.attributes, -1)  # (B, K, Q)
        gate = prompt
        for at, layer in enumerate(self.gate):
            gate = layer(gate) if at == len(self.gate) - 1 else torch.relu(layer(gate))
        weights = torch.softmax(gate / self.temperature, dim=1) * self.scale  # (B, K)
        means = quantiles.mean(dim=2)  # (B, K)
        if self.matrix is not None:
            means = means @ self.matrix
        reward: Tensor = (weights * means).sum(dim=1)
        return reward


HEADS: dict[str, type[Linear] | type[MLP] | type[Quantiles]] = {
    "regression_layer.weight": Quantiles,
    "score.0.weight": MLP,
    "score.weight": Linear,
}


class RewardEngine:
    """A loaded backbone with its tokenizer and its head, on the GPU where there is one."""

    def __init__(self, path: str, *, device: str | None = None) -> None:
        no_telemetry()
        from transformers import AutoConfig, AutoModel, AutoTokenizer
        from transformers.utils import logging

        quiet: Any = logging.disable_progress_bar
        quiet()
        folder = _folder(path)
        # Unset, transformers asks on standard input whether a checkpoint's own code may run.
        how: Any = {"local_files_only": True, "trust_remote_code": False}
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            self.config: Any = AutoConfig.from_pretrained(folder, **how)
            no_fetched_kernels(self.config, path)
            self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, **how)
            # The backbone is the plain one of its family, whatever class the checkpoint brings.
            loaded: Any = AutoModel.from_pretrained(
                folder, dtype="auto", use_safetensors=True, **how
            )
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            raise ConfigError(f"the reward model {path} cannot be loaded: {error}") from error
        if not self.tokenizer.chat_template:
            raise ConfigError(f"the tokenizer of {path} has no chat template")
        self.model = loaded.to(self.device).eval()
        self.head = _head(path, folder, self.config).to(self.device, self.model.dtype).eval()
        whole = nn.ModuleDict({"backbone": self.model, "head": self.head})
        self.fingerprint = fingerprint(path, whole)
        self.context = int(getattr(self.config, "max_position_embeddings", None) or 1 << 30)

    def answer(self, requests: Sequence[Request]) -> list[Reply | Exception]:
        """One reward a request, or the error that stands in its place."""
        rows = [self._tokens(request) for request in requests]
        long = [self._too_long(tokens) for tokens, _ in rows]
        fit = [row for row, problem in zip(rows, long, strict=True) if problem is None]
        rewards = iter(self.rewards(fit) if fit else ())
        replies: list[Reply | Exception] = []
        for (tokens, _), problem in zip(rows, long, strict=True):
            if problem is not None:
                replies.append(problem)
                continue
            usage = Usage(len(tokens), 0)
            replies.append(Reply(json.dumps(next(rewards)), usage=usage, model=self.fingerprint))
        return replies

    def _tokens(self, request: Request) -> tuple[list[int], int]:
        """The conversation in the chat template, and where its prompt ends."""
        whole = self._template(request, len(request.messages))
        before = self._template(request, len(request.messages) - 1)
        special = set(self.tokenizer.all_special_ids) | set(self.tokenizer.added_tokens_decoder)
        ends = [at for at, token in enumerate(before) if token in special]
        return whole, ends[-1] if ends else max(0, len(before) - 1)

    def _template(self, request: Request, count: int) -> list[int]:
        if count == 0:
            return []
        try:
            text = self.tokenizer.apply_chat_template(
                wire(request.messages[:count]), tokenize=False
            )
        except Exception as error:  # a template may refuse by any error, such as one of Jinja
            raise ConfigError(f"the chat template refuses the conversation: {error}") from error
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _too_long(self, tokens: list[int]) -> TooLongError | None:
        if len(tokens) <= self.context:
            return None
        message = f"the conversation has {len(tokens)} tokens; the model takes {self.context}"
        return TooLongError(message, needed=len(tokens), limit=self.context)

    @torch.inference_mode()
    def rewards(self, rows: Sequence[tuple[list[int], int]]) -> list[float]:
        """Rewards of token rows, each with the place of its prompt's last special token."""
        longest = max(len(tokens) for tokens, _ in rows)
        ids = torch.tensor(
            [tokens + [0] * (longest - len(tokens)) for tokens, _ in rows], device=self.device
        )  # (B, L)
        mask = torch.tensor(
            [[1] * len(tokens) + [0] * (longest - len(tokens)) for tokens, _ in rows],
            device=self.device,
        )
        states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state  # (B, L, D)
        each = torch.arange(len(rows), device=self.device)
        last = states[each, mask.sum(dim=1) - 1]
        prompt = states[each, torch.tensor([end for _, end in rows], device=self.device)]
        return [float(reward) for reward in self.head(last, prompt).float().cpu()]


def _folder(path: str) -> Path:
    if Path(path).is_dir():
        return Path(path)
    no_telemetry()
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(path, ignore_patterns=["*.bin", "*.pth", "*.py", "*.gguf"]))
    except Exception as error:  # the hub's client has a family of errors of its own
        raise ConfigError(f"the reward model {path} cannot be fetched: {error}") from error


def _head(path: str, folder: Path, config: Any) -> nn.Module:
    """The head that the checkpoint's tensors make."""
    places = _places(path, folder)
    shape = next((HEADS[name] for name in HEADS if name in places), None)
    if shape is None:
        raise ConfigError(
            f"the head of {path} is of no shape that is known here ({', '.join(HEADS)}); serve the"
            " model and name its address: reward@http://..."
        )
    begins = ("score.", "regression_layer.", "gating.", _MATRIX)
    names = [name for name in places if name.startswith(begins)]
    try:
        return shape(_read(folder, {name: places[name] for name in names}), config)
    except (OSError, KeyError, IndexError, ValueError, RuntimeError, SafetensorError) as error:
        raise ConfigError(f"the head of {path} cannot be read: {error!r:.300}") from error


def _places(path: str, folder: Path) -> dict[str, str]:
    """Which file holds which tensor."""
    from safetensors import safe_open

    if (folder / _INDEX).is_file():
        try:
            index = json.loads((folder / _INDEX).read_text("utf-8"))["weight_map"].items()
            return {str(name): Path(file).name for name, file in index}  # in this folder
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"{path}: {_INDEX} cannot be read: {error!r:.200}") from error
    if not (folder / _SINGLE).is_file():
        raise ConfigError(f"{path} holds no {_SINGLE}; only safetensors are read")
    with safe_open(folder / _SINGLE, framework="pt") as opened:
        return dict.fromkeys(opened.keys(), _SINGLE)


def _read(folder: Path, places: Mapping[str, str]) -> dict[str, Tensor]:
    from safetensors import safe_open

    tensors: dict[str, Tensor] = {}
    for file in sorted(set(places.values())):
        with safe_open(folder / file, framework="pt") as opened:
            for name, place in places.items():
                if place == file:
                    tensors[name] = opened.get_tensor(name)
    return tensors


def _linear(tensors: Mapping[str, Tensor], name: str) -> nn.Linear:
    """The linear layer that two tensors make, or one where it has no bias."""
    weight, bias = tensors[f"{name}.weight"], tensors.get(f"{name}.bias")
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    layer.weight.data = weight
    if bias is not None:
        layer.bias.data = bias
    return layer
