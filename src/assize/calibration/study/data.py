"""What a study looks at: filled-in forms, who is held out when, and cross-fitting.

Every form is predicted by something that has seen no form about the same item, nor, where
items are grouped, about any of its group: forms of fold k by what was fitted on the other
folds, forms of the test set by what was fitted on all others. Each seed has its own folds
(but where one group at a time is left out) and its own starting weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import NO_ANSWER, Forms, IntArray
from assize.calibration.folds import group_folds, one_out
from assize.calibration.network.training import Job, Network, Setting, train
from assize.errors import ConfigError, DataError

TEST = -1  # the fold of what is never fitted on
FEWEST_ITEMS = 2  # in a fold
NO_GROUP = "(none)"


class Split(NamedTuple):
    """What is fitted on, and what is then predicted; places of forms."""

    seed: int
    fitted: IntArray
    held: IntArray


@dataclass(frozen=True, slots=True)
class Folding:
    """How forms are held out together.

    Args:
        folds: how many parts there are.
        by: what items are grouped by, as the user calls it; None where each stands alone.
        leave_out: a fold is one group; else groups are dealt to the folds.
        groups: how many groups of items that are fitted on.
        ungrouped: rated items that are in no group; they are held out together, as one.
    """

    folds: int
    by: str | None = None
    leave_out: bool = False
    groups: int = 0
    ungrouped: int = 0

    def __str__(self) -> str:
        if self.by is None:
            return f"{self.folds} folds by item"
        if self.leave_out:
            return f"one of {self.groups} groups by {self.by} left out at a time"
        return f"{self.folds} folds by {self.by}, {self.groups} groups"

    def to_json(self) -> dict[str, Any]:
        """As it stands in `--json`."""
        if self.by is None:
            return {"by": "item", "leave_out": False}
        each = {"groups": self.groups, "items_without_group": self.ungrouped}
        return {"by": self.by, "leave_out": self.leave_out, **each}


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """The forms of a study.

    Args:
        forms: N of them, to be fitted on and to be tested on.
        fold: (S, N) fold of each form for each seed; TEST in the test set.
        seeds: (S,) numbers that draw folds and starting weights.
        setting: of the published network.
        folding: what made the folds.
    """

    forms: Forms
    fold: IntArray
    seeds: tuple[int, ...]
    setting: Setting
    folding: Folding

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
    groups: Sequence[str | None] | None = None,
    by: str = "group",
    leave_out: bool = False,
) -> Data:
    """Draws the folds: by item, or by groups of items.

    Args:
        test_items: ids of the items that are never fitted on.
        folds: how many parts the other items are split into; not used with `leave_out`.
        seeds: how often all is repeated, with other folds and starting weights.
        groups: by place in `forms.features.units`; all items of a group are in one fold, and
            so are all those of none.
        by: what the groups are called where folds are spoken of.
        leave_out: each group is a fold, the same for every seed.

    Raises:
        ConfigError: fewer than two folds or no seed; one is to be left out of no groups; there
            are helpers.
        DataError: too few items, or groups, for so many folds; all ratings are one answer.
    """
    if folds < 2 or seeds < 1:
        raise ConfigError(f"a study needs two folds and a seed; received {folds} and {seeds}")
    if leave_out and groups is None:
        raise ConfigError("one group at a time is left out of groups: give them")
    if forms.helpers:
        raise ConfigError("a study compares predictions of all raters: it takes no helpers")
    held = set(test_items)
    names = [forms.features.units[place][0] for place in forms.item.tolist()]
    fitted = np.array([name not in held for name in names])
    _check_answers(forms, fitted)
    rated = _grouped(forms, groups, fitted)
    _check_enough(names, fitted, rated, None if groups is None else by, folds, leave_out)
    fold = np.full((seeds, len(forms)), TEST, dtype=np.int64)
    for seed in range(seeds):
        rng = np.random.default_rng([seed, 1])
        fold[seed, fitted] = one_out(rated) if leave_out else group_folds(rated, folds, rng)
    chosen = Setting() if setting is None else setting
    folding = Folding(folds)
    if groups is not None:
        count, kinds = int(fold.max()) + 1, len(set(rated))
        lost = len({place for place in forms.item[fitted].tolist() if groups[place] is None})
        folding = Folding(count, by, leave_out, kinds, lost)
    return Data(forms, fold, tuple(range(seeds)), chosen, folding)


def _grouped(
    forms: Forms, groups: Sequence[str | None] | None, fitted: NDArray[np.bool_]
) -> list[str]:
    """What each form that is fitted on is held out with: its item, or its group."""
    units = forms.features.units
    found = []
    for place in forms.item[fitted].tolist():
        group = units[place][0] if groups is None else groups[place]
        found.append(NO_GROUP if group is None else group)
    return found


def _check_answers(forms: Forms, fitted: NDArray[np.bool_]) -> None:
    given = forms.y[fitted & (forms.y != NO_ANSWER)]
    if len(np.unique(given)) < 2:
        answers = forms.target.question.answers
        said = f"all {len(given)} answers are {answers[given[0]]!r}" if len(given) else "no answers"
        raise DataError(f"{forms.target.id}: {said}; at least two different ones are needed")


def _check_enough(
    names: Sequence[str],
    fitted: NDArray[np.bool_],
    rated: Sequence[str],
    by: str | None,
    folds: int,
    leave_out: bool,
) -> None:
    kinds = set(rated)
    if by is not None and len(kinds) < (2 if leave_out else folds):
        wanted = "2, so that one can be left out" if leave_out else f"{folds}, one a fold"
        wanted += "" if leave_out or len(kinds) < 2 else f": take {len(kinds)} folds at most"
        shown = ", ".join(sorted(kinds)[:5])
        raise DataError(
            f"the rated items are of {len(kinds)} groups by {by} ({shown}); needed are {wanted}"
        )
    items = {name for name, one in zip(names, fitted.tolist(), strict=True) if one}
    if not leave_out and len(items) < FEWEST_ITEMS * folds:
        most = len(items) // FEWEST_ITEMS
        instead = f"take {most} at most, or rate more" if most > 1 else "rate more"
        raise DataError(
            f"{len(items)} rated items are too few for {folds} folds;"
            f" {FEWEST_ITEMS * folds} are needed: {instead}"
        )
