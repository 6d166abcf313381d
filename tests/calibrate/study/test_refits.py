from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import make_world
from tests.calibrate.study.conftest import followed

from assize.base.errors import ConfigError
from assize.calibrate import fit_default
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting
from assize.calibrate._study.importance import WAYS, measure_importance
from assize.calibrate._study.refits import resampled_rows, with_refits

SETTING = Setting(hidden1=6, hidden2=5, pretrain=3, finetune=3, rate=0.01, initial=0.3)


@pytest.fixture
def forms() -> list[Any]:
    pytest.importorskip("torch")
    found = make_world(followed, rows=80, raters=2, seed=1).forms
    return [found, found.with_target("Q1")]


def test_whole_items_are_drawn() -> None:
    forms = make_world(followed, rows=40, raters=2, seed=1).forms
    forms.item[:] = np.arange(40) // 4
    rows = resampled_rows(forms, np.random.default_rng(0))
    times = np.bincount(rows, minlength=40).reshape(10, 4)
    assert (times == times[:, :1]).all()
    assert times[:, 0].sum() == 10
    assert times[:, 0].max() > 1


def test_refits_widen_the_interval_and_leave_the_estimate(forms: list[Any]) -> None:
    fitted = [fit_networks(one, SETTING, [0]) for one in forms]
    found = measure_importance(fitted, forms[0].features, ["r0", "r1"])
    more = with_refits(found, fitted, forms, forms[0].features, ["r0", "r1"], refits=30)
    assert [one.along for one in more] == list(WAYS)
    for one, before in zip(more, found, strict=True):
        mean, pooled = one.mean_refitted, one.pooled_refitted
        assert mean is not None
        assert pooled is not None
        assert mean.estimate == before.mean.estimate
        assert pooled.estimate == before.pooled
        (low, high), (a, b) = mean.interval, one.mean.interval
        assert high - low > b - a
    again = with_refits(found, fitted, forms, forms[0].features, ["r0", "r1"], refits=30)
    assert again[0].mean_refitted == more[0].mean_refitted


def test_a_refit_on_all_rows_is_the_fit(forms: list[Any]) -> None:
    fitted = fit_networks(forms[0], SETTING, [5, 6])
    refit = fitted.abilities.refit
    assert refit is not None
    (one,) = refit(forms[0], [np.arange(80)], 5)
    x = forms[0].features
    assert np.array_equal(one.probabilities(x, [0, 1]), fitted.probabilities(x, [0, 1]))


def test_what_cannot_be_refitted_is_refused(forms: list[Any]) -> None:
    fitted = [fit_networks(one, SETTING, [0]) for one in forms]
    found = measure_importance(fitted, forms[0].features, ["r0"])
    main = fit_default(forms[0])
    with pytest.raises(ConfigError, match="'Q0' cannot be refitted"):
        with_refits(found, [main, fitted[1]], forms, forms[0].features, ["r0"], refits=20)
