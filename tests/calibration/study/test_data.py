"""Who is held out when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from assize.calibration import Forms
from assize.calibration.study import Data, data_of
from assize.errors import ConfigError, DataError


def test_no_item_is_predicted_by_what_was_fitted_on_it(data: Data) -> None:
    splits = list(data.splits())
    assert len(splits) == 3 * 2
    for _, fitted, held in splits:
        assert not set(data.forms.item[fitted]) & set(data.forms.item[held])
    for seed in data.seeds:
        held_once = np.concatenate([one.held for one in splits if one.seed == seed])
        assert sorted(held_once) == list(range(len(data.forms)))


def test_the_test_set_is_fitted_on_by_no_one_and_predicted_from_all_else(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms()
    data = data_of(forms, test_items=["s0-0", "s1-1"], folds=3, seeds=1)
    test = np.flatnonzero(data.test)
    assert len(test) == 6
    splits = list(data.splits())
    assert len(splits) == 4
    for _, fitted, held in splits:
        assert not set(fitted) & set(test)
        if set(held) == set(test):
            assert len(fitted) == len(forms) - 6


def test_every_seed_has_its_own_folds(data: Data) -> None:
    assert (data.fold[0] != data.fold[1]).any()


def test_what_cannot_be_used_is_neither_fitted_nor_predicted(data: Data) -> None:
    usable = np.arange(len(data.forms)) % 2 == 0
    p = data.cross_fit(data.forms, data.setting, usable)
    assert np.isnan(p[:, ~usable]).all()
    assert p[:, usable].sum(axis=2) == pytest.approx(1)
    for _, fitted, _ in data.splits(usable):
        assert usable[fitted].all()


def test_a_mean_head_gives_values(data: Data) -> None:
    found = data.cross_fit(data.forms, replace(data.setting, head="mean"))
    assert found.shape == (2, len(data.forms), 1)


def test_too_little_to_split_is_refused(make_forms: Callable[..., Forms]) -> None:
    with pytest.raises(DataError, match="3 rated items are too few for 5 folds; 10 are needed"):
        data_of(make_forms(items=3))
    with pytest.raises(ConfigError, match="two folds and a seed"):
        data_of(make_forms(), seeds=0)


def test_helpers_are_refused(make_forms: Callable[..., Forms]) -> None:
    with pytest.raises(ConfigError, match="takes no helpers"):
        data_of(replace(make_forms(), helpers=1))
