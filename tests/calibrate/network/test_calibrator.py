from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.conftest import two_raters

from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import Forms
from assize.calibrate._network.calibrator import Networks
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting

pytest.importorskip("torch")
SETTING = Setting(4, 4, 32, 0.01, 1, 1)


@pytest.fixture
def forms() -> Forms:
    return two_raters(100)


def test_only_what_was_trained_without_raters_predicts_unknown_ones(forms: Forms) -> None:
    for setting, can in (
        (SETTING, False),
        (replace(SETTING, dropout=0.3), True),
        (replace(SETTING, personal=(False, False, False)), True),
    ):
        assert fit_networks(forms, setting, [0]).abilities.unknown_raters == can


def test_several_networks_are_samples_and_one_knows_no_doubt(forms: Forms) -> None:
    both = fit_networks(forms, SETTING, [0, 1])
    sample = both.abilities.sample
    assert sample is not None
    found = sample(forms.features, [0, 1], 64, np.random.default_rng(0))
    assert found.shape == (2, 100, 2, 4)
    assert found.mean(axis=0) == pytest.approx(both.probabilities(forms.features, [0, 1]))
    assert replace(both, networks=both.networks[:1]).abilities.sample is None


def test_the_gradient_is_averaged_over_networks_and_raters(forms: Forms) -> None:
    both: Networks = fit_networks(forms, SETTING, [0, 1])
    gradient = both.abilities.gradient
    assert gradient is not None
    each = [one.gradient(forms.x, r, both.target.values) for one in both.networks for r in (0, 1)]
    assert gradient(forms.x, [0, 1]) == pytest.approx(np.mean(each, axis=0))


def test_an_item_is_known_by_any_answer(forms: Forms) -> None:
    x = np.full((2, 8), np.nan)
    x[0, 4:] = 0.25
    some = Features((("a", None), ("b", None)), forms.features.blocks, x)
    assert fit_networks(forms, SETTING, [0]).known(some).tolist() == [True, False]
