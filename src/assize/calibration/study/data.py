"""What a study looks at: filled-in forms, who is held out when, and cross-fitting.

Every form is predicted by something that has seen no form about the same item: forms of
fold k by what was fitted on the other folds, forms of the test set by what was fitted
on all others. Each seed has its own folds and its own starting weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assize.calibration.folds import group_folds
from assize.calibration.forms import NO_ANSWER, Forms, IntArray
from assize.calibration.table import FloatArray
from assize.calibration.training import Job, Network, Setting, train
from assize.errors import ConfigError, DataError

TEST = -1  # the fold of what is never fitted on
FEWEST_ITEMS = 2  # in a fold


class Split(NamedTuple):
    """What is fitted on, and what is then predicted; places of forms."""

    seed: int
    fitted: IntArray
    held: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """The forms of a study.

    Args:
        forms: N of them, to be fitted on and to be tested on.
        fold: (S, N) fold of each form for each seed; TEST in the test set.
        seeds: (S,) numbers that draw folds and starting weights.
        setting: of the published network.
    """

    forms: Forms
    fold: IntArray
    seeds: tuple[int, ...]
    setting: Setting

    @property
    def test(self) -> NDArray[np.bool_]:
        """(N,) forms of the test set."""
        return np.asarray(self.fold[0] == TEST)

    @property
    def known(self) -> NDArray[np.bool_]:
        """(N,) forms that answer the target."""
        return np.asarray(self.forms.y != NO_ANSWER)

    def splits(self, usable: NDArray[np.bool_] | None = None) -> Iterator[Split]:
        """All splits, seed after seed; `usable` (N,) leaves forms out of fitting."""
        fit = ~self.test if usable is None else ~self.test & usable
        for seed, fold in zip(self.seeds, self.fold, strict=True):
            for one in np.unique(fold):
                fitted = fit if one == TEST else fit & (fold != one)
                yield Split(seed, np.flatnonzero(fitted), np.flatnonzero(fold == one))

    def with_target(self, question: str) -> Data:
        """The same forms and folds with another question to be predicted."""
        return replace(self, forms=self.forms.with_target(question))

    def cross_fit(
        self, forms: Forms, setting: Setting, usable: NDArray[np.bool_] | None = None
    ) -> FloatArray:
        """The published network's predictions, all splits trained side by side.

        Args:
            forms: N rows that stand for the study's, with whatever inputs.
            setting: of every network.
            usable: (N,) forms that can be fitted on and predicted.

        Returns:
            (S, N, K) probabilities of the target's answers; (S, N, 1) values with a mean
            head; NaN where `usable` says no.
        """
        splits = list(self.splits(usable))
        networks = train(forms, [Job(setting, one.fitted, one.seed) for one in splits])
        return self.gathered(forms, splits, networks, usable)

    def gathered(
        self,
        forms: Forms,
        splits: Sequence[Split],
        networks: Sequence[Network],
        usable: NDArray[np.bool_] | None = None,
    ) -> FloatArray:
        """What each split's network says of the forms that were held from it (S, N, ...)."""
        width = 1 if networks[0].setting.head == "mean" else len(forms.target)
        found = np.full((len(self.seeds), len(forms), width), np.nan)
        place = {seed: line for line, seed in enumerate(self.seeds)}
        for split, network in zip(splits, networks, strict=True):
            held = split.held if usable is None else split.held[usable[split.held]]
            said = network.probabilities(forms.x[held], forms.rater[held])
            found[place[split.seed], held] = said
        return found


def data_of(
    forms: Forms,
    *,
    test_items: Sequence[str] = (),
    folds: int = 5,
    seeds: int = 3,
    setting: Setting | None = None,
) -> Data:
    """Draws the folds, by item.

    Args:
        test_items: ids of the items that are never fitted on.
        folds: how many parts the other items are split into.
        seeds: how often all is repeated, with other folds and starting weights.

    Raises:
        ConfigError: fewer than two folds or no seed, or there are helpers.
        DataError: too few items for so many folds.
    """
    if folds < 2 or seeds < 1:
        raise ConfigError(f"a study needs two folds and a seed; received {folds} and {seeds}")
    if forms.helpers:
        raise ConfigError("a study compares predictions of all raters: it takes no helpers")
    held = set(test_items)
    ids = [item for item, _ in forms.features.units]
    fold = np.full((seeds, len(forms)), TEST, dtype=np.int64)
    names = np.array([ids[place] for place in forms.item.tolist()])
    fitted = np.array([name not in held for name in names.tolist()])
    rated = names[fitted].tolist()
    items = set(rated)
    if len(items) < FEWEST_ITEMS * folds:
        raise DataError(
            f"{len(items)} rated items are too few for {folds} folds;"
            f" {FEWEST_ITEMS * folds} are needed"
        )
    for seed in range(seeds):
        fold[seed, fitted] = group_folds(rated, folds, np.random.default_rng([seed, 1]))
    chosen = Setting() if setting is None else setting
    return Data(forms, fold, tuple(range(seeds)), chosen)
