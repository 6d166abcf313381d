"""What a study looks at: filled-in forms, who is held out when, and networks cross-fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import DataError
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import NO_ANSWER, Forms
from assize.calibrate._network.grids import Grid
from assize.calibrate._network.training import Job, Setting, train
from assize.calibrate._study.nested_search import FEWEST, nested_settings
from assize.stats._studies import Folds, Method, Predictions, Split, Truth, cross_fit, folds_of
from assize.stats._studies.splits import Mask

Rows = dict[str, Predictions]
"""The rows of a method, by name; most have one."""


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """The forms of a study.

    Args:
        forms: N of them, to be fitted on and to be tested on.
        folds: of every form for each seed; a seed draws starting weights too.
        setting: of the published network; where there is a grid, what that leaves open.
        grid: what is searched anew in every split, for every network; None searches nothing.
    """

    forms: Forms
    folds: Folds
    setting: Setting
    grid: Grid | None = None

    @property
    def known(self) -> Mask:
        """(N,) forms that answer the target."""
        return np.asarray(self.forms.y != NO_ANSWER)

    @property
    def truth(self) -> Truth:
        """The target's answers; forms about one item are not independent."""
        forms, scale = self.forms, self.forms.target
        return Truth(forms.values, forms.item, forms.y, tuple(scale.values), scale.ordered)

    def with_target(self, question: str) -> Data:
        """The same forms and folds with another question to be predicted."""
        return replace(self, forms=self.forms.with_target(question))

    def same(self, value: FloatArray, p: FloatArray | None = None) -> Predictions:
        """The same (N,) values and (N, K) probabilities for every seed."""
        seeds = len(self.folds.seeds)
        every = None if p is None else np.broadcast_to(p, (seeds, *p.shape))
        return Predictions(np.broadcast_to(value, (seeds, *value.shape)), every)

    def cross_fitted(self, method: Method[Data]) -> Predictions:
        """What a method of the study's data predicts, learning from forms with the target."""
        found = cross_fit(method, self, self.folds, fit=self.known)
        return Predictions.of(found, self.forms.target.values)

    @property
    def searches(self) -> bool:
        """Whether settings are searched in every split."""
        return self.grid is not None and self.folds.count >= FEWEST

    def settings(
        self, forms: Forms, splits: Sequence[Split], setting: Setting, usable: Mask | None = None
    ) -> list[Setting]:
        """The setting of each split's network: searched without what the split holds out."""
        if self.grid is None or not self.searches:
            return [setting] * len(splits)
        learnt = ~self.folds.test if usable is None else ~self.folds.test & usable
        return nested_settings(forms, self.folds, splits, learnt, self.grid, setting)

    def networks(self, forms: Forms, setting: Setting, usable: Mask | None = None) -> FloatArray:
        """The published network's predictions, all splits trained side by side.

        Args:
            forms: N rows that stand for the study's, with whatever inputs.
            setting: of every network, but for what the study's grid searches.
            usable: (N,) forms that can be fitted on and predicted.

        Returns:
            (S, N, K) probabilities of the target's answers; (S, N, 1) values with a mean
            head; NaN where `usable` says no.
        """
        splits = list(self.folds.splits(usable, usable))
        if not any(len(split.fitted) for split in splits):
            return np.full(self.folds.fold.shape, np.nan)
        chosen = self.settings(forms, splits, setting, usable)
        return self.folds.gathered(splits, network_predictions(forms, splits, chosen))


def network_predictions(
    forms: Forms, splits: Sequence[Split], settings: Sequence[Setting]
) -> list[FloatArray]:
    """Train a network for each split; return what it says of the forms held from it (held, K)."""
    pairs = zip(settings, splits, strict=True)
    networks = train(forms, [Job(setting, split.fitted, split.seed) for setting, split in pairs])
    return [
        network.probabilities(forms.x[split.held], forms.rater[split.held])
        for network, split in zip(networks, splits, strict=True)
    ]


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
    grid: Grid | None = None,
) -> Data:
    """Draws the folds: by item, or by groups of items, as `folds_of`.

    Args:
        test_items: ids of the items that are never fitted on.
        groups: by place in `forms.features.units`.

        grid: see `Data`.

    Raises:
        ConfigError: see `folds_of`.
        DataError: all ratings are one answer; see `folds_of`.
    """
    held = set(test_items)
    names = [forms.features.units[place][0] for place in forms.item.tolist()]
    test = np.array([name in held for name in names], dtype=bool)
    _check_answers(forms, ~test)
    of_form = None if groups is None else [groups[place] for place in forms.item.tolist()]
    dealt = folds_of(
        names, folds=folds, seeds=seeds, test=test, groups=of_form, by=by, leave_out=leave_out
    )
    return Data(forms, dealt, Setting() if setting is None else setting, grid)


def _check_answers(forms: Forms, fitted: Mask) -> None:
    given = forms.y[fitted & (forms.y != NO_ANSWER)]
    if len(np.unique(given)) < 2:
        said = (
            f"all {len(given)} answers are {forms.target.question.answers[given[0]]!r}"
            if len(given)
            else "no answers"
        )
        raise DataError(f"{forms.target.id}: {said}; at least two different ones are needed")
