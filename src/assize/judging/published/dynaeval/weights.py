"""From a user's checkpoint to a network: the tensors by the names that releases give them.

A folder holds `model.safetensors`, or one `.pt` file, which is read without running any code in
it, and may hold `dynaeval.json`:

    {"past": 4, "future": 4, "words": 30, "aggregation": "mean", "names": {"hidden.weight": "..."}}

`names` says what a tensor is called where it is called otherwise; see `NAMES` for ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from assize.errors import ConfigError
from assize.signature import sign, sign_arrays

if TYPE_CHECKING:
    from torch import Tensor

    from assize.judging.published.dynaeval.network import Network

SETTINGS, SAFE = "dynaeval.json", "model.safetensors"
WORDS = 30  # of an utterance that are read

# Ours, and what releases call them; a name that ends in ".T" is stored transposed.
NAMES: Mapping[str, tuple[str, ...]] = {
    "first.weight": ("ds_1.weight",),
    "first.bias": ("ds_1.bias",),
    "second.weight": ("ds_2.weight",),
    "second.bias": ("ds_2.bias",),
    "attention": ("edge_att.weight",),
    "basis": ("gcn.conv1.basis", "gcn.conv1.weight"),
    "mix": ("gcn.conv1.att", "gcn.conv1.comp"),
    "root": ("gcn.conv1.root",),
    "bias": ("gcn.conv1.bias",),
    "neighbours": ("gcn.conv2.weight", "gcn.conv2.lin_l.weight.T", "gcn.conv2.lin_rel.weight.T"),
    "own.weight": ("gcn.conv2.lin.weight", "gcn.conv2.lin_r.weight", "gcn.conv2.lin_root.weight"),
    "own.bias": ("gcn.conv2.lin.bias", "gcn.conv2.lin_l.bias", "gcn.conv2.lin_rel.bias"),
    "hidden.weight": ("clf.lin1.weight",),
    "hidden.bias": ("clf.lin1.bias",),
    "out.weight": ("clf.lin2.weight",),
    "out.bias": ("clf.lin2.bias",),
}
_RECURRENT = ("rnn.rnn.", "context.")  # theirs, ours; what follows is torch's own


@dataclass(frozen=True, slots=True)
class Settings:
    """What a checkpoint does not say itself."""

    past: int = 4  # utterances before one that it is joined to; -1 for all
    future: int = 4  # and after it
    words: int = WORDS  # of an utterance that are read
    aggregation: str = "mean"  # of messages: mean, or sum as in old releases of torch-geometric
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A network that is ready, its settings, and a hash of what can change its numbers."""

    network: Network
    settings: Settings
    signature: str


def load_checkpoint(target: str | Path) -> Checkpoint:
    """The network in a folder, or in a file of weights.

    Raises:
        ConfigError: there is none, a tensor is missing or has another shape, or the settings are
            not what they must be.
    """
    import torch

    from assize.judging.published.dynaeval.network import Network

    path = Path(target)
    weights = _weights_in(path)
    settings = _settings(path if path.is_dir() else path.parent)
    tensors = named(_read(weights), settings.names, weights)
    network = Network(
        sizes_of(tensors, weights), past=settings.past, future=settings.future,
        aggregation=settings.aggregation,  # type: ignore[arg-type]  # `_settings` has looked
    )  # fmt: skip
    try:
        network.load_state_dict(tensors)
    except RuntimeError as error:
        raise ConfigError(f"{weights} holds another network: {error!s:.500}") from error
    if not all(bool(torch.isfinite(one).all()) for one in tensors.values()):
        raise ConfigError(f"{weights} holds weights that are no finite numbers")
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    told = {name: value for name, value in asdict(settings).items() if name != "names"}
    return Checkpoint(network.eval(), settings, sign(told, sign_arrays({}, arrays)))


def named(stored: Mapping[str, Tensor], given: Mapping[str, str], where: Path) -> dict[str, Tensor]:
    """The stored tensors under our names, as 32-bit floats.

    Raises:
        ConfigError: one is missing, or a given name is none of ours.
    """
    unknown = sorted(set(given) - set(NAMES))
    if unknown:
        raise ConfigError(f"{SETTINGS} names {', '.join(unknown)}; known are {', '.join(NAMES)}")
    found: dict[str, Tensor] = {}
    for name, usual in NAMES.items():
        for written in (given[name],) if name in given else (*usual, name):
            stripped = written.removesuffix(".T")
            if stripped in stored:
                tensor = stored[stripped].detach().float()
                found[name] = tensor.T.contiguous() if stripped != written else tensor.contiguous()
                break
        else:
            raise ConfigError(
                f"{where} holds no {name} (looked for {', '.join(usual)}); say in {SETTINGS} what"
                f' it is called: {{"names": {{"{name}": "..."}}}}'
            )
    theirs, ours = _RECURRENT
    for name, tensor in stored.items():
        if name.startswith((theirs, ours)):
            found[ours + name.removeprefix(theirs).removeprefix(ours)] = tensor.detach().float()
    return found


def sizes_of(tensors: Mapping[str, Tensor], where: Path) -> Any:
    """The sizes of the network that these tensors make; raises ConfigError where they make none."""
    from assize.judging.published.dynaeval.network import Sizes

    try:
        reduced, vector = tensors["first.weight"].shape
        bases, context, graph = tensors["basis"].shape
        kinds = tensors["mix"].shape[0]
        gates, half = tensors["context.weight_hh_l0"].shape
    except (KeyError, ValueError) as error:
        raise ConfigError(f"{where} holds no network of DynaEval's: {error!r}") from error
    speakers = round((kinds / 2) ** 0.5)
    if 2 * speakers**2 != kinds or gates not in (3 * half, 4 * half):
        raise ConfigError(f"{where} holds {kinds} kinds of edges and {gates} gates of {half}")
    layers = sum(
        name.startswith("context.weight_hh") and not name.endswith("_reverse") for name in tensors
    )
    return Sizes(
        vector, reduced, context, graph, tensors["hidden.weight"].shape[0], speakers, bases, layers,
        "lstm" if gates == 4 * half else "gru",
    )  # fmt: skip


def _weights_in(path: Path) -> Path:
    if path.is_file():
        return path
    if (path / SAFE).is_file():
        return path / SAFE
    found = sorted(path.glob("*.pt")) if path.is_dir() else []
    if len(found) == 1:
        return found[0]
    told = f"{len(found)} files .pt" if found else "neither"
    raise ConfigError(f"{path} holds {told}; expected {SAFE}, or one file .pt")


def _settings(folder: Path) -> Settings:
    path = folder / SETTINGS
    if not path.is_file():
        return Settings()
    from assize.judging.published.dynaeval.network import Aggregation

    try:
        told = json.loads(path.read_text("utf-8"))
        found = Settings(**told)
        numbers = (found.past, found.future, found.words)
        good = all(isinstance(one, int) and not isinstance(one, bool) for one in numbers)
        if not good or found.words < 1 or min(found.past, found.future) < -1:
            raise ValueError("past and future are -1 or more, words is 1 or more")
        if found.aggregation not in get_args(Aggregation):
            raise ValueError(f"aggregation is {found.aggregation!r}; give mean or sum")
        if not all(isinstance(one, str) for one in found.names.values()):
            raise ValueError("names are texts")
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    return found


def _read(path: Path) -> dict[str, Tensor]:
    """The tensors of a file, without running any code that is in it."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        found = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch and pickle have families of errors of their own
        problem = "damaged" if isinstance(error, SafetensorError) else f"{error!s:.200}"
        told = f"{path} cannot be read; of a file .pt tensors alone are read, and no code"
        raise ConfigError(f"{told}: {problem}") from error
    found = found.get("best_state", found) if isinstance(found, dict) else found
    if not isinstance(found, dict) or not all(isinstance(v, torch.Tensor) for v in found.values()):
        raise ConfigError(f"{path} holds no tensors by name")
    return found
