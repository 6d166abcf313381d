from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.conftest import two_raters

from assize.calibrate._network.grids import Grid
from assize.calibrate._network.search import Trial, measure, search
from assize.calibrate._network.training import Job, Setting, train
from assize.stats._studies import dealt

pytest.importorskip("torch")
GRID = Grid((4, 6), (5,), (32,), (0.01, 0.001), (1, 3), (2, 4))


def test_the_start_is_searched_where_it_is_asked_for() -> None:
    forms = two_raters(120)
    folds = dealt(forms.item, 2, np.random.default_rng(0))
    grid = replace(GRID, hidden1=(4,), rate=(0.01,), pretrain=(0,), initial=(1.0, 0.1))
    found = search(forms, grid, folds, 0)
    assert len(found.settings) == len(grid) == 4
    assert [one.initial for one in found.settings] == [1.0, 1.0, 0.1, 0.1]
    assert found.values[2:].mean() > found.values[:2].mean()


def test_a_trial_may_stand_for_several_splits() -> None:
    forms = two_raters(90)
    rows = np.arange(90)
    tests = (rows[:30], rows[30:50])
    both = measure(forms, GRID, [Trial(rows[50:], tests, 0)])
    for place, test in enumerate(tests):
        alone = measure(forms, GRID, [Trial(rows[50:], (test,), 0)])
        assert both.settings == alone.settings
        assert both.values[:, 0, place] == pytest.approx(alone.values[:, 0, 0], abs=1e-5)


def test_a_mean_head_is_judged_by_its_squared_error() -> None:
    forms = two_raters(90)
    rows = np.arange(90)
    setting = Setting(4, 4, 32, 0.01, 2, 3, head="mean")
    grid = Grid((4,), (4,), (32,), (0.01,), (2,), (3,), setting)
    found = measure(forms, grid, [Trial(rows[30:], (rows[:30],), 0)])
    network = train(forms, [Job(found.settings[0], rows[30:], 0)])[0]
    said = network.probabilities(forms.x[:30], forms.rater[:30])[:, 0]
    error = np.mean((said - forms.values[:30]) ** 2)
    assert found.values[0, 0, 0] == pytest.approx(-error, abs=1e-4)


def test_a_path_that_only_falls_is_left_and_counts_as_where_it_stopped() -> None:
    forms = two_raters()
    folds = dealt(forms.item, 3, np.random.default_rng(0))
    looks = (5, 10, 20, 30, 40)
    grid = Grid((8,), (8,), (16,), (0.02,), (20,), looks)  # far too long for 133 rows
    whole = search(forms, grid, folds, 0)
    early = search(forms, grid, folds, 0, patience=2)
    assert early.best() == whole.best()
    assert early.stopped > 0
    assert whole.stopped == 0
    for fold in range(3):
        alone, left = whole.values[:, fold, 0], early.values[:, fold, 0]
        end = int(np.flatnonzero(left == left[-1])[0])  # the last look before it was left
        assert left[: end + 1] == pytest.approx(alone[: end + 1], abs=1e-4)
        assert alone[end:].max() <= alone[: end + 1].max()


def test_a_path_that_cannot_catch_up_is_left() -> None:
    forms = two_raters()
    folds = dealt(forms.item, 3, np.random.default_rng(0))
    grid = Grid((8,), (8,), (16,), (1e-6, 0.02), (0,), (5, 10, 20, 30))
    early = search(forms, grid, folds, 0, patience=9)  # falling alone ends nothing
    assert early.best() == search(forms, grid, folds, 0).best()
    slow = [place for place, one in enumerate(early.settings) if one.rate == 1e-6]
    assert (np.ptp(early.values[slow[1:]], axis=0) == 0).all()
    assert early.stopped >= 6 / 24
