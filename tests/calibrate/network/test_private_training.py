from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import log_loss, make_world

from assize.base.errors import ConfigError
from assize.calibrate import Private
from assize.calibrate._artefact import load, save
from assize.calibrate._calibrator import predict, predict_own_raters
from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._network import private_training
from assize.calibrate._network.fit import fit_private
from assize.calibrate._network.inputs import fit_inputs
from assize.calibrate._network.private_training import CLIP, SETTING, _Training, fit_privately

pytest.importorskip("torch")


def level(x: np.ndarray) -> np.ndarray:
    p = np.stack([x[:, :4] + 0.02, x[:, 3::-1] + 0.02], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


def followed(x: np.ndarray) -> np.ndarray:
    """Both raters follow the model."""
    return level(x)[:, [0, 0]]


def training(forms: Any, unit: str) -> _Training:
    setting = replace(SETTING, hidden1=3, hidden2=4, personal=(False, False, unit == "form"))
    inputs = fit_inputs(forms, np.arange(len(forms)))
    found = _Training(forms, inputs, setting, unit, np.random.default_rng(0))  # type: ignore[arg-type]
    found.own += 0.3
    return found


def loss(one: _Training, row: int) -> float:
    """Half the target's log loss and half the other question's, by the plain formula."""
    z = one.x[row]
    for weights in one.weights[:2]:
        z = 1 / (1 + np.exp(-(weights[0] + z @ weights[1:])))
    last = one.weights[2] + (one.own[one.forms.rater[row]] if len(one.own) else 0)
    out = (last[0] + z @ last[1:]).reshape(2, 4)
    logs = out - np.log(np.exp(out).sum(axis=1, keepdims=True))
    y = one.forms.answers[row]
    return float(-0.5 * (logs[0, y[0]] + logs[1, y[1]]))


@pytest.mark.parametrize("unit", ["form", "rater"])
def test_gradients_are_those_of_finite_differences(unit: str) -> None:
    one = training(make_world(level, rows=8, raters=2, seed=1).forms, unit)
    found = one._gradients(np.arange(8))
    for layer, weights in enumerate(one.weights):
        for place in np.ndindex(*weights.shape):
            weights[place] += 1e-5
            up = [loss(one, row) for row in range(8)]
            weights[place] -= 2e-5
            down = [loss(one, row) for row in range(8)]
            weights[place] += 1e-5
            slope = (np.array(up) - down) / 2e-5
            assert found[layer][(slice(None), *place)] == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("unit", ["form", "rater"])
def test_one_unit_changes_the_sum_by_the_bound_at_most(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole of it, over shared and own weights together, is what the accountant counts."""
    forms = make_world(lambda x: level(x)[:, [0, 1, 0]], rows=12, raters=3, seed=1).forms
    forms.rater[:] = np.arange(12) % 3
    for clip in (CLIP, 0.05):
        monkeypatch.setattr(private_training, "CLIP", clip)
        one = training(forms, unit)
        every = np.arange(12)
        without = every[one.unit != one.unit[0]]
        parts = zip(one.clipped(every), one.clipped(without), strict=True)
        change = np.sqrt(sum(((a - b) ** 2).sum() for a, b in parts))
        assert change <= clip * (1 + 1e-9)
        if clip == 0.05:
            assert change == pytest.approx(clip)  # that gradient was longer


def test_the_noise_of_a_step_is_what_was_asked() -> None:
    forms = make_world(level, rows=10, raters=2, seed=1).forms
    drawn = []
    for seed in range(30):
        one = training(forms, "rater")
        one.rng = np.random.default_rng(seed)
        before = one.moments[0].clone()
        one.clipped = lambda rows, one=one: [np.zeros_like(part) for part in one.weights]  # type: ignore[method-assign, misc]
        one.step(7.0)
        drawn.append((one.moments[0] - before).numpy() / 0.1)  # Adam's first moment takes a tenth
    size = private_training.RATE * one.units
    assert np.std(drawn) == pytest.approx(7.0 * CLIP / size, rel=0.05)


def test_what_is_kept_predicts_and_says_what_it_spent(tmp_path: Path) -> None:
    world = make_world(followed, rows=1_500, raters=2, seed=1)
    losses = {}
    for epsilon in (0.1, 8.0):
        fitted, spent = fit_privately(world.forms, epsilon, rng=np.random.default_rng(0))
        assert 0.9 * epsilon < spent.epsilon <= epsilon
        losses[epsilon] = log_loss(predict_own_raters(fitted, world.forms), world.forms.y)
    chance = np.bincount(world.forms.y, minlength=4) / 1_500
    assert losses[8.0] < -(chance * np.log(chance)).sum() - 0.1
    assert losses[8.0] < losses[0.1]
    save(fitted, tmp_path)
    x = world.forms.features
    assert np.array_equal(predict(load(tmp_path), x, [0, 1]), predict(fitted, x, [0, 1]))


def test_with_raters_as_units_nobody_is_known(tmp_path: Path) -> None:
    forms = make_world(lambda x: level(x)[:, [0, 1, 0, 1, 0]], rows=60, raters=5, seed=1).forms
    fitted, spent = fit_privately(forms, 5.0, unit="rater", rng=np.random.default_rng(0))
    assert (fitted.raters, spent.unit) == ((), "rater")
    save(fitted, tmp_path)
    kept = (tmp_path / "calibration.json").read_text()
    assert not any(f'"{name}"' in kept for name in forms.raters)
    assert np.isfinite(predict(load(tmp_path), forms.features, [UNKNOWN])).all()


def test_a_step_that_takes_nobody_is_noise_alone() -> None:
    for unit in ("form", "rater"):
        one = training(make_world(level, rows=4, raters=2, seed=1).forms, unit)
        parts = one.clipped(np.arange(0))
        assert [part.shape for part in parts] == [tuple(part.shape) for part in one.parts]
        assert not any(part.any() for part in parts)


def test_two_fits_differ_since_noise_must_not_be_known() -> None:
    forms = make_world(level, rows=40, raters=2, seed=1).forms
    one, two = (fit_private(forms, Private(3.0))[0] for _ in range(2))
    assert not np.array_equal(one.networks[0].shared[0], two.networks[0].shared[0])


def test_what_does_not_go_with_privacy_is_refused() -> None:
    forms = make_world(level, rows=40, raters=2, seed=1).forms
    with pytest.raises(ConfigError, match="unit week: allowed are form and rater"):
        fit_privately(forms, 1.0, unit="week")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="without choices, helpers"):
        fit_privately(replace(forms, helpers=1), 1.0)
    with pytest.raises(ConfigError, match="without thinned ratings"):
        fit_privately(replace(forms, thinned=np.ones(40, dtype=bool)), 1.0)
