"""How a published network is made and trained, and one such task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assize.base.errors import ConfigError
from assize.calibrate._data.forms import IntArray

MOST_INITIAL = 10.0  # sigmoids of sums of such weights are steps


@dataclass(frozen=True, slots=True)
class Setting:
    """How one network is made and trained.

    Args:
        hidden1, hidden2: widths of the hidden layers.
        batch: rows a step, drawn with replacement.
        rate: Adam's learning rate.
        pretrain, finetune: epochs on all questions, then on the target; an epoch is as many steps
            as there are whole batches in the training rows: a last, partial one is dropped.
        personal: whether first, second and last layer have weights of each rater's own.
        dropout: share of rows trained without their rater, so that the shared weights
            alone predict raters who are not known.
        initial: standard deviation of all weights and biases at the start. The paper does not
            say it; its released code draws at 1, which is too wide for a few hundred ratings.
        wait: epochs of pre-training before the raters' own weights move; they start at 0. As
            many as `pretrain` or more leave them to fine-tuning, which suits helpers best.
        mask: share of the questions that each training row hides, so that a missing answer is
            learnt and not filled in.
        head: `distribution`, or `mean` for squared error on the target's value.
    """

    hidden1: int = 25
    hidden2: int = 25
    batch: int = 64
    rate: float = 0.001
    pretrain: int = 20
    finetune: int = 30
    personal: tuple[bool, bool, bool] = (True, True, True)
    dropout: float = 0.0
    initial: float = 0.3
    wait: int = 0
    head: Literal["distribution", "mean"] = "distribution"
    mask: float = 0.0

    def __post_init__(self) -> None:
        if (
            min(self.hidden1, self.hidden2, self.batch) < 1
            or self.rate <= 0
            or min(self.pretrain, self.finetune, self.wait) < 0
        ):
            raise ConfigError(f"sizes and rate must be positive, epochs at least 0: {self}")
        if not 0 < self.initial <= MOST_INITIAL:
            raise ConfigError(
                f"the weights' deviation at the start must be above 0 and at most"
                f" {MOST_INITIAL:g}; received {self.initial}"
            )
        for name, share in (("dropout", self.dropout), ("mask", self.mask)):
            if not 0 <= share < 1:
                raise ConfigError(f"{name} must be in [0, 1); received {share}")


RELEASED = Setting(25, 25, 64, 0.001, 20, 30, initial=1.0)
"""What the released code found best in its own search, and the start it draws from."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """One network to be trained: its setting, its training rows (n,), its seed."""

    setting: Setting
    rows: IntArray
    seed: int
