"""Who is held out when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.calibrate.study.conftest import SMALL

from assize.base.errors import AssizeError, DataError
from assize.calibrate._data.forms import Forms
from assize.calibrate._study import Data, Options, data_of, study


def test_the_test_set_is_fitted_on_by_no_one_and_predicted_from_all_else(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms()
    data = data_of(forms, test_items=["s0-0", "s1-1"], folds=3, seeds=1)
    test = np.flatnonzero(data.folds.test)
    assert len(test) == 6
    splits = list(data.folds.splits())
    assert len(splits) == 4
    for _, fitted, held in splits:
        assert not set(fitted) & set(test)
        if set(held) == set(test):
            assert len(fitted) == len(forms) - 6


def topics(forms: Forms) -> list[str | None]:
    """Every item's topic, seven of them; the last item has none."""
    return [*(f"t{n % 7}" for n in range(len(forms.features.units) - 1)), None]


def test_a_group_is_in_one_fold_and_items_without_one_stand_together(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms()
    groups = [None if n in (3, 8) else one for n, one in enumerate(topics(forms))]
    data = data_of(forms, folds=3, seeds=2, groups=groups, by="topic", test_items=["s1-1"])
    for fold in data.folds.fold:
        for name in set(groups):
            mine = {int(fold[row]) for row, place in enumerate(forms.item) if groups[place] == name}
            assert len(mine - {-1}) == 1, name
    assert (data.folds.fold[0] != data.folds.fold[1]).any()
    assert set(np.unique(data.folds.fold[0])) == {-1, 0, 1, 2}
    assert str(data.folds) == "3 folds by topic, 8 groups"
    assert data.folds.ungrouped == 3
    assert str(data_of(forms, folds=3).folds) == "3 folds by item"


def test_one_group_at_a_time_is_left_out_for_every_method(make_forms: Callable[..., Forms]) -> None:
    forms = make_forms()
    systems = np.array([item.partition("-")[0] for item, _ in forms.features.units])
    how: dict[str, Any] = {"seeds": 2, "setting": SMALL, "test_items": ["s0-0"]}
    data = data_of(forms, groups=systems.tolist(), by="system", leave_out=True, **how)
    for _, fitted, held in data.folds.splits():
        if not data.folds.test[held].any():
            assert len({*systems[forms.item[fitted]]} | {*systems[forms.item[held]]}) == 2
    options = Options(("constant", "calibrated"), 10)
    found = study(data, options)
    # Each method speaks of s1 from s0 alone: a constant is then s0's shares of answers.
    of_s1 = systems[forms.item] == "s1"
    shares = np.bincount(forms.y[~of_s1 & ~data.folds.test], minlength=4) + 0.125
    p = next(row.predicted.p for row in found.parts[0].rows if row.name == "constant")
    assert p is not None
    expected = np.tile(shares / shares.sum(), (int(of_s1.sum()), 1))
    assert p[0, of_s1] == pytest.approx(expected)
    assert found.to_json()["held_out"]["leave_out"] is True
    assert found.signature != study(data_of(forms, folds=2, **how), options).signature


def test_a_column_that_says_nothing_without_the_group_left_out_does_no_harm(
    make_forms: Callable[..., Forms],
) -> None:
    """Only s1 is asked whether it is clear: zeros elsewhere, as where a question does not apply."""
    forms = make_forms()
    systems = [item.partition("-")[0] for item, _ in forms.features.units]
    (place,) = [
        at
        for block, at in zip(forms.features.blocks, forms.features.columns, strict=True)
        if block.question == "clear"
    ]
    x = forms.features.x.copy()
    x[[one == "s0" for one in systems], place] = 0
    changed = replace(forms, features=replace(forms.features, x=x), x=x[forms.item])
    data = data_of(changed, seeds=1, groups=systems, leave_out=True, setting=SMALL)
    for row in study(data, Options(("baselines", "default", "network"), 10)).parts[0].rows:
        assert np.isfinite(row.predicted.value).all(), row.name


def test_what_cannot_be_used_is_neither_fitted_nor_predicted(data: Data) -> None:
    usable = np.arange(len(data.forms)) % 2 == 0
    p = data.networks(data.forms, data.setting, usable)
    assert np.isnan(p[:, ~usable]).all()
    assert p[:, usable].sum(axis=2) == pytest.approx(1)
    for _, fitted, _ in data.folds.splits(usable):
        assert usable[fitted].all()


def test_a_mean_head_gives_values(data: Data) -> None:
    found = data.networks(data.forms, replace(data.setting, head="mean"))
    assert found.shape == (2, len(data.forms), 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seeds": 0}, "two folds and a seed"),
        (
            {"groups": ["0", "1"] * 15, "by": "topic"},
            r"2 groups by topic \(0, 1\); needed are 5, one a fold",
        ),
        (
            {"groups": ["x"] * 30, "by": "bot", "leave_out": True},
            r"1 groups by bot \(x\); needed are 2, so that one can be",
        ),
        ({"leave_out": True}, "left out of groups: give them"),
    ],
)
def test_too_little_to_split_is_refused(
    make_forms: Callable[..., Forms], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(AssizeError, match=message):
        data_of(make_forms(), **options)
    with pytest.raises(DataError, match="3 rated items are too few for 5 folds; 10 are needed"):
        data_of(make_forms(items=3))
