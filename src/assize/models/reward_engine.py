"""The work behind `hf-reward:`: backbone states of a conversation, and a head that scores them.

Design choices
- No code from a checkpoint is run. The head is recognised by the names of its tensors, and the
  shapes that are known are written out in `reward_heads`; anything else is refused with what to do.
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

from assize.base.errors import ConfigError
from assize.base.judgment import Usage
from assize.base.privacy import no_telemetry
from assize.models.local_engine import LocalEngine, fingerprint
from assize.models.model import Reply, Request, wire
from assize.models.reward_heads import HEADS, MLP, PREFIXES, Head, Linear

TokenRow = tuple[list[int], int]
"""Tokens, and the place of the prompt's last special token."""

_INDEX = "model.safetensors.index.json"
_SINGLE = "model.safetensors"


class RewardEngine(LocalEngine[TokenRow]):
    """A loaded backbone with the head that scores its states."""

    def __init__(self, path: str, *, device: str | None = None, detailed: bool = False) -> None:
        folder = _folder(path)
        # The backbone is the plain one of its family, whatever class the checkpoint brings.
        super().__init__("the reward model", path, folder, "AutoModel", device, dtype="auto")
        self.head = _head(path, folder, self.config).to(self.device, self.model.dtype).eval()
        self.detailed = detailed
        if detailed and not hasattr(self.head, "parts"):
            raise ConfigError(
                f"the head of {path} gives a reward alone; ask it as reward@hf:{path}"
            )
        whole = nn.ModuleDict({"backbone": self.model, "head": self.head})
        self.fingerprint = fingerprint(path, whole)

    def work(self, rows: Sequence[TokenRow]) -> list[Reply]:
        """Score conversations."""
        rewards = self.parts(rows) if self.detailed else self.rewards(rows)
        return [
            Reply(json.dumps(reward), usage=Usage(len(tokens), 0), model=self.fingerprint)
            for (tokens, _), reward in zip(rows, rewards, strict=True)
        ]

    def row(self, request: Request) -> TokenRow:
        """The conversation in the chat template, and where its prompt ends."""
        whole = self._template(request, len(request.messages))
        self.check_length(len(whole), f"the conversation has {len(whole)} tokens")
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

    @torch.inference_mode()
    def rewards(self, rows: Sequence[TokenRow]) -> list[float]:
        """Rewards of token rows, each with the place of its prompt's last special token."""
        return [float(reward) for reward in self.head(*self._states(rows)).float().cpu()]

    @torch.inference_mode()
    def parts(self, rows: Sequence[TokenRow]) -> list[dict[str, Any]]:
        """What each reward is made of: a number or a list of numbers by name."""
        assert not isinstance(self.head, Linear | MLP)  # refused when it was loaded
        found = self.head.parts(*self._states(rows))
        told = {name: value.float().cpu().tolist() for name, value in found.items()}
        return [{name: values[at] for name, values in told.items()} for at in range(len(rows))]

    def _states(self, rows: Sequence[TokenRow]) -> tuple[Tensor, Tensor]:
        """The states (B, D) of each row's last token, and of its prompt's end."""
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
        return last, states[each, torch.tensor([end for _, end in rows], device=self.device)]


def _folder(path: str) -> Path:
    if Path(path).is_dir():
        return Path(path)
    no_telemetry()
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(path, ignore_patterns=["*.bin", "*.pth", "*.py", "*.gguf"]))
    except Exception as error:  # the hub's client has a family of errors of its own
        raise ConfigError(f"the reward model {path} cannot be fetched: {error}") from error


def _head(path: str, folder: Path, config: Any) -> Head:
    """The head that the checkpoint's tensors make."""
    places = _places(path, folder)
    shape = next((HEADS[name] for name in HEADS if name in places), None)
    if shape is None:
        raise ConfigError(
            f"the head of {path} is of no shape that is known here ({', '.join(HEADS)}); serve the"
            " model and name its address: reward@http://..."
        )
    names = [name for name in places if name.startswith(PREFIXES)]
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
