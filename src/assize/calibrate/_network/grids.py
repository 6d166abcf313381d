"""The grids of settings that a search goes through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from assize.calibrate._network.settings import Setting

STARTS = (1.0, 0.3, 0.1)
"""Deviations of the first weights that every search tries: 1 is the released code's, and nothing
was gained under 0.1 (design/32)."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Every combination of these is a setting; the rest is taken from `base`.

    `initial` is that of `base` alone where it is ().
    """

    hidden1: tuple[int, ...] = (25,)
    hidden2: tuple[int, ...] = (25,)
    batch: tuple[int, ...] = (64,)
    rate: tuple[float, ...] = (0.001, 0.005)
    pretrain: tuple[int, ...] = (5, 10, 20, 30)
    finetune: tuple[int, ...] = (5, 10, 20, 30, 40, 50)
    base: Setting = field(default_factory=Setting)
    initial: tuple[float, ...] = ()

    def __len__(self) -> int:
        axes = (self.hidden1, self.hidden2, self.batch, self.rate, self.pretrain, self.finetune)
        return int(np.prod([len(axis) for axis in (*axes, self.starts)]))

    @property
    def starts(self) -> tuple[float, ...]:
        """Deviations of the first weights."""
        return self.initial or (self.base.initial,)

    def sizes(self) -> Iterator[Setting]:
        """One setting of each size, batch size and start; the axes inside it lie on its paths."""
        axes = (self.hidden1, self.hidden2, self.batch, self.starts)
        for hidden1, hidden2, batch, initial in product(*axes):
            yield replace(self.base, hidden1=hidden1, hidden2=hidden2, batch=batch, initial=initial)


SMALL = Grid(initial=STARTS)
"""144 settings: 48 around the released choice (25, 25, batches of 64, rate 0.001, 20 + 30), each
from every start."""

PUBLISHED = Grid(
    hidden1=(10, 25, 50, 100),
    hidden2=(10, 25, 50, 100),
    batch=(32, 64, 128, 256),
    rate=(0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01),
    pretrain=(5, 10, 20, 30, 40, 50),
    finetune=(5, 10, 20, 30, 40, 50),
    initial=STARTS,
)
"""The grid that the paper prints (section 4), 16,128 settings, each from every start: the paper
says of the start nothing."""

GRIDS = {"small": SMALL, "published": PUBLISHED}
