from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.conftest import two_raters

from assize.base.errors import ConfigError, DataError
from assize.calibrate import Published
from assize.calibrate._network.fit import fit_networks, fit_published, grid_for, search_and_fit
from assize.calibrate._network.grids import SMALL, STARTS, Grid
from assize.calibrate._network.training import Setting
from assize.stats._studies import dealt

pytest.importorskip("torch")
GRID = Grid((4, 6), (5,), (32,), (0.01, 0.001), (1, 3), (2, 4))


def test_the_best_setting_is_found_and_trained_on_all() -> None:
    forms = two_raters(300)
    folds = dealt(forms.item, 3, np.random.default_rng(0))
    grid = replace(GRID, hidden1=(6,), rate=(0.000001, 0.02), pretrain=(0,), finetune=(10,))
    done: list[int] = []
    networks, found = search_and_fit(forms, folds, grid=grid, seeds=(0, 1), tick=done.append)
    assert found.best().rate == 0.02
    best = found.values.max(axis=0).mean()  # three folds of 100
    assert found.totals().max() / found.counts.sum() == pytest.approx(best)
    assert len(networks.networks) == 2
    assert sum(done) == len(grid)


def test_a_network_of_means_predicts_no_answers() -> None:
    with pytest.raises(DataError, match="does not predict the target"):
        fit_networks(two_raters(20), Setting(4, 4, 32, 0.01, 1, 1, head="mean"), [0])


def test_options_and_forms_shape_the_grid() -> None:
    forms = two_raters(20)
    options = Published(personal="last", dropout=0.2)
    plain = grid_for(forms, options, SMALL)
    assert plain.base == Setting(dropout=0.2, personal=(False, False, True))
    assert len(plain) == len(SMALL)
    assert plain.initial == STARTS
    assert grid_for(forms, Published(start=0.2), SMALL).initial == (0.2,)
    assert grid_for(replace(forms, helpers=1), options, SMALL).base.wait == max(SMALL.pretrain)


def test_options_that_fit_no_network_are_refused() -> None:
    forms = two_raters(20)
    with pytest.raises(ConfigError, match="no question has more than 12 answers"):
        fit_published(forms, Published(answer_embeddings=5))
