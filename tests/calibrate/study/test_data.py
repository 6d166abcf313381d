"""Who is held out when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.calibrate.study.conftest import SMALL

from assize.calibrate._data.forms import Forms
from assize.calibrate._study import Data, Options, data_of, study


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
