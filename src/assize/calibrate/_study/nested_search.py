"""The setting of every network of a study, searched anew inside every split (nested).

Folds are put in a ring. A network is trained without two neighbours, and what it says of each
helps choose the setting of the split that holds out the other: it has seen neither. So a split's
setting is chosen on two folds beside its own, all splits of a seed cost one training a fold, and
those of all seeds run side by side.

Source: Hashemi et al. (2024), section 4 and footnote 12: an inner cross-validation for every
split. Differs: two inner folds instead of five, whose networks learn from three fifths of all
forms instead of 16 of 25; so the search of a row costs about as much as a hundred networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assize.calibrate._data.forms import NO_ANSWER, Forms
from assize.calibrate._network.grids import Grid
from assize.calibrate._network.search import Trial, measure
from assize.calibrate._network.settings import Setting
from assize.stats._studies import Folds, Split
from assize.stats._studies.splits import TEST, Mask

BLOCKS = 5  # into which more folds are put together, to be searched without
FEWEST = 3  # of folds, for a search inside what is fitted on

QUICK = Grid(
    hidden1=(10,),
    hidden2=(10,),
    batch=(128,),
    rate=(0.005,),
    pretrain=(10, 40),
    finetune=(5, 10, 20, 30, 50),
    initial=(0.3, 0.1),
)
"""What a study searches for each of its networks: two starts and ten pairs of epochs, the
smallest network and one rate. Chosen on the synthetic dialogues (design/32)."""


def grid_of(grid: Grid, setting: Setting) -> Grid:
    """The grid for networks like `setting`: a phase of no epochs stays one."""
    return replace(
        grid,
        base=setting,
        pretrain=grid.pretrain if setting.pretrain else (0,),
        finetune=grid.finetune if setting.finetune else (0,),
    )


def nested_settings(
    forms: Forms,
    folds: Folds,
    splits: Sequence[Split],
    usable: Mask,
    grid: Grid,
    setting: Setting,
    patience: int | None = 1,
) -> list[Setting]:
    """The setting of each split's network.

    Args:
        forms: N rows.
        splits: of `folds`; those of the test set take what is best over all pairs of folds.
        usable: (N,) forms that can be learnt from; those with a target are looked at.
        grid: its epochs, rates and starts; the rest is `setting`'s.
        setting: how the networks are made; phases without epochs stay without.
        patience: see `measure`.

    Where there are more than BLOCKS folds, several are put together; a split's setting is then
    chosen without its whole block.
    """
    blocks = min(BLOCKS, folds.count)
    pairs = [(block, (block + 1) % blocks) for block in range(blocks)]
    known = usable & (forms.y != NO_ANSWER)
    trials, places = [], []
    for seed in folds.seeds:
        block = np.where(folds.of(seed) == TEST, TEST, folds.of(seed) % blocks)
        for pair in pairs:
            held = tuple(np.flatnonzero(known & (block == one)) for one in pair)
            rows = np.flatnonzero(usable & (block != TEST) & ~np.isin(block, pair))
            if known[rows].any() and all(len(one) for one in held):
                trials.append(Trial(rows, held, seed))
                places.append((seed, pair))
    found = measure(forms, grid_of(grid, setting), trials, patience=patience)
    chosen = []
    for split in splits:
        seed, fold = split.seed, int(folds.of(split.seed)[split.held[0]])
        mine = TEST if fold == TEST else fold % blocks
        beside = [  # networks that saw neither block of their pair
            [whose == seed and other != mine and mine in (TEST, *pair) for other in pair]
            for whose, pair in places
        ]
        chosen.append(found.best(np.array(beside)))
    return chosen
