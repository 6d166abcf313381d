"""How a network is trained from votes: one record of settings, and the presets by name.

`paper` is MTDEval's appendix C, made for vectors of 4,096 numbers and 11,000 pairs. At its rate an
embedded encoder's network has hardly moved after three epochs, so `small` has a larger one, many
epochs, and stops by votes held out. `linear` has no hidden layer. What each was measured to do
stands in design/42-network-from-votes.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.evaluator._heads.network import Activation

Preset = Literal["small", "linear", "paper"]
Start = Literal["votes", "constant"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the numbers of a training, beside the data."""

    hidden: tuple[int, ...] = (32,)  # units of each hidden layer; () for a linear model
    activation: Activation = "silu"  # of the hidden layers
    linear: bool = True  # a linear part past the hidden layers
    # penalty a pair of the ridge solution where linear weights begin; 0 begins at 0. With the gains
    # below 0.15 is the shipped evaluator's: 300 on 2,000 rows
    ridge: float = 0.15
    apart: bool = False  # the overall question has a network of its own (two models)
    members: int = 5  # networks trained side by side, from different starts
    held_out: bool = True  # each member leaves out a fold of the pairs, by which it stops
    patience: int = 6  # epochs without a better likelihood of the votes held out
    epochs: int = 40  # at most
    batch: int = 128  # pairs
    rate: float = 1e-3  # of the network's weights, at its height
    reliability_rate: float = 1e-2  # of the logits of the reliabilities
    betas: tuple[float, float] = (0.9, 0.95)  # AdamW's
    decay: float = 1.0  # of the weights, times the rate; reliabilities and biases have none
    warm_up: float = 0.1  # share of the steps over which rates rise; a cosine to 0 follows
    embeddings: float = 0.1  # what standardised embeddings are multiplied by,
    shape: float = 0.55  # and the shape block: a smaller gain is a stronger penalty
    start: Start = "votes"  # reliabilities begin where the votes alone put them, or at `begin`
    begin: float = 0.7  # alpha and beta at a constant start; above 0.5, where gradients vanish
    tied: bool = False  # alpha = beta for each judge and question
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("members", "epochs", "batch", "patience"):
            check_range(name, getattr(self, name), 1)
        check_range("ridge", self.ridge, 0)
        for name in ("rate", "reliability_rate", "embeddings", "shape"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name}: received {getattr(self, name)}; give more than 0")
        if any(units < 1 for units in self.hidden):
            raise ConfigError(f"hidden: received {self.hidden}; each layer has 1 unit or more")
        if not 0.5 < self.begin < 1:
            raise ConfigError(
                f"begin: received {self.begin}; give more than 0.5, where no gradient reaches the"
                " network, and less than 1"
            )


PRESETS: Mapping[Preset, Settings] = {
    "small": Settings(),
    "linear": Settings(hidden=(), linear=False, rate=3e-3),
    # MTDEval, section 5.1 and appendix C; where it starts at 0.5 this starts at `begin`
    "paper": Settings(
        hidden=(1024,),
        activation="relu",
        linear=False,
        ridge=0.0,
        apart=True,
        members=1,
        held_out=False,
        epochs=3,
        batch=32,
        rate=5e-5,
        decay=0.1,
        embeddings=1.0,
        shape=1.0,
        start="constant",
    ),
}


def settings_of(preset: str = "small", **changed: Any) -> Settings:
    """A preset's settings, some of them changed; None leaves one as it is.

    Raises:
        ConfigError: there is no such preset, or a setting is out of range.

    >>> settings_of("paper", epochs=5).epochs, settings_of("paper").rate
    (5, 5e-05)
    """
    if preset not in get_args(Preset):
        raise ConfigError(f"preset: received {preset!r}; known: {', '.join(PRESETS)}")
    given = {name: value for name, value in changed.items() if value is not None}
    return replace(PRESETS[preset], **given)  # type: ignore[index]
