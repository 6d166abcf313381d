"""Settings searched inside every split: what each is chosen on, and what it has never seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.calibrate.study.conftest import SMALL

from assize.calibrate._data.forms import Forms
from assize.calibrate._network.grids import Grid
from assize.calibrate._network.search import measure
from assize.calibrate._study import QUICK, Data, data_of, nested_search
from assize.calibrate._study.nested_search import grid_of, nested_settings

pytest.importorskip("torch")
GRID = Grid((4,), (4,), (32,), (0.02,), (2,), (1, 4), SMALL, initial=(1.0, 0.1))


@pytest.fixture
def data(make_forms: Callable[..., Forms]) -> Data:
    return data_of(make_forms(), folds=4, seeds=2, setting=SMALL, grid=GRID)


def settings(data: Data) -> list[object]:
    return list(data.settings(data.forms, list(data.folds.splits()), SMALL))


def test_no_network_of_a_splits_search_has_seen_what_the_split_holds_out(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials: list[Any] = []

    def watched(forms: Forms, grid: Grid, found: list[object], **how: object) -> object:
        trials.extend(found)
        return measure(forms, grid, found, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(nested_search, "measure", watched)
    settings(data)
    assert len(trials) == 2 * 4  # one a fold and seed
    for trial in trials:
        fold = data.folds.of(trial.seed)
        held = [set(fold[test].tolist()) for test in trial.tests]
        assert [len(one) for one in held] == [1, 1]
        assert not set(fold[trial.rows].tolist()) & (held[0] | held[1])
        assert held[0] != held[1]


def test_answers_that_a_split_holds_out_do_not_move_its_setting(data: Data) -> None:
    before = settings(data)
    held = data.folds.fold[0] == 0
    rng = np.random.default_rng(0)
    answers = data.forms.answers.copy()
    answers[held, 0] = rng.integers(0, 4, int(held.sum()))
    after = settings(replace(data, forms=replace(data.forms, answers=answers)))
    splits = list(data.folds.splits())
    place = next(n for n, one in enumerate(splits) if one.seed == 0 and held[one.held].all())
    assert before[place] == after[place]


def test_a_start_that_cannot_learn_is_not_chosen(data: Data) -> None:
    far = replace(data, grid=replace(GRID, initial=(10.0, 0.1), finetune=(6,)))
    assert {one.initial for one in settings(far)} == {0.1}  # type: ignore[attr-defined]


def test_more_folds_are_put_together(make_forms: Callable[..., Forms]) -> None:
    found = settings(data_of(make_forms(), folds=7, seeds=1, setting=SMALL, grid=GRID))
    assert len(found) == 7
    assert found[0] == found[5]  # of one block


def test_the_test_set_has_a_setting_of_its_own(make_forms: Callable[..., Forms]) -> None:
    data = data_of(make_forms(), test_items=["s0-0"], folds=3, seeds=1, setting=SMALL, grid=GRID)
    assert len(settings(data)) == 4


def test_two_folds_are_too_few_and_take_one_setting(make_forms: Callable[..., Forms]) -> None:
    data = data_of(make_forms(), folds=2, seeds=1, setting=SMALL, grid=GRID)
    assert not data.searches
    assert settings(data) == [SMALL, SMALL]


def test_a_phase_that_an_ablation_leaves_out_stays_out() -> None:
    assert grid_of(QUICK, replace(SMALL, finetune=0)).finetune == (0,)
    assert grid_of(QUICK, replace(SMALL, pretrain=0)).pretrain == (0,)
    assert grid_of(QUICK, SMALL).pretrain == QUICK.pretrain
    assert len(QUICK.starts) > 1


def test_what_can_not_be_learnt_from_takes_no_part(data: Data) -> None:
    usable = np.ones(len(data.forms), dtype=bool)
    usable[data.folds.of(0) == 1] = False
    splits = list(data.folds.splits(usable, usable))
    assert len(nested_settings(data.forms, data.folds, splits, usable, GRID, SMALL)) == len(splits)
