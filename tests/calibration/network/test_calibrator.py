from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.calibration import UNKNOWN, Setting, fit_networks, predict
from assize.errors import ConfigError

pytest.importorskip("torch")


def level(x: np.ndarray) -> np.ndarray:
    p = np.stack([x[:, :4] + 0.1, x[:, 3::-1] + 0.1], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


def test_networks_average_their_seeds(worlds: Callable[..., Any]) -> None:
    forms = worlds(level, rows=200, raters=2, seed=1).forms
    setting = Setting(4, 4, 32, 0.01, 1, 1)
    both = fit_networks(forms, setting, [0, 1])
    ones = [fit_networks(forms, setting, [seed]) for seed in (0, 1)]
    found = predict(both, forms.features, [0, UNKNOWN])
    each = [predict(one, forms.features, [0, UNKNOWN]) for one in ones]
    assert found == pytest.approx(np.mean(each, axis=0), abs=1e-5)
    with pytest.raises(ConfigError, match="distribution head"):
        fit_networks(forms, replace(setting, head="mean"), [0])


def test_everyone_is_each_rater_in_turn(worlds: Callable[..., Any]) -> None:
    forms = worlds(level, rows=50, raters=2, seed=1).forms
    network = fit_networks(forms, Setting(4, 4, 32, 0.01, 1, 1), [0]).networks[0]
    together = network.everyone(forms.x, [1, UNKNOWN])
    for place, rater in enumerate((1, UNKNOWN)):
        alone = network.probabilities(forms.x, np.full(50, rater))
        assert np.array_equal(together[:, place], alone)
