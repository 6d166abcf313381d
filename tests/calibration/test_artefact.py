from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.calibration import UNKNOWN, Setting, fit_default, fit_networks, load, predict, save
from assize.calibration.artefact import SETTINGS, WEIGHTS, signature
from assize.errors import DataError


def level(x: np.ndarray) -> np.ndarray:
    p = np.stack([x[:, :4] + 0.1, x[:, 3::-1] + 0.1], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture
def forms(worlds: Callable[..., Any]) -> Any:
    return worlds(level, rows=300, raters=2, seed=1).forms


def test_a_calibrator_comes_back_as_it_was(forms: Any, tmp_path: Path) -> None:
    fitted = fit_default(forms)
    signed = save(fitted, tmp_path / "c", {"forms": 300})
    again = load(tmp_path / "c")
    mine, other = (predict(one, forms.features, [0, UNKNOWN]) for one in (fitted, again))
    assert np.array_equal(mine, other)
    assert signature(again) == signed
    assert again.raters == fitted.raters


def test_networks_come_back_as_they_were(forms: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    setting = Setting(4, 4, 32, 0.01, 1, 1, personal=(False, True, True), weights=(1.0, 0.5))
    fitted = fit_networks(forms, setting, [0, 1])
    save(fitted, tmp_path)
    mine, other = (predict(one, forms.features, [0, UNKNOWN]) for one in (fitted, load(tmp_path)))
    assert np.array_equal(mine, other)


def test_the_same_fit_is_the_same_bytes(forms: Any, tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(fit_default(forms), tmp_path / name)
    for file in (SETTINGS, WEIGHTS):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_another_weight_is_another_signature(forms: Any) -> None:
    assert signature(fit_default(forms)) != signature(fit_default(forms, own_share=0.4))


def test_damage_is_told(forms: Any, tmp_path: Path) -> None:
    save(fit_default(forms), tmp_path)
    with pytest.raises(DataError, match="a calibrator is a folder with this file"):
        load(tmp_path / "nothing")
    whole = (tmp_path / WEIGHTS).read_bytes()
    (tmp_path / WEIGHTS).write_bytes(whole[:200])
    with pytest.raises(DataError, match=r"weights\.npz: damaged"):
        load(tmp_path)
    other = fit_default(forms, own_share=0.4)
    save(other, tmp_path / "other")
    (tmp_path / WEIGHTS).write_bytes((tmp_path / "other" / WEIGHTS).read_bytes())
    with pytest.raises(DataError, match="not the file that"):
        load(tmp_path)
    settings = json.loads((tmp_path / SETTINGS).read_text())
    (tmp_path / WEIGHTS).write_bytes(whole)
    (tmp_path / SETTINGS).write_text(json.dumps(settings | {"format": 99}))
    with pytest.raises(DataError, match="format 99"):
        load(tmp_path)
    del settings["raters"]
    (tmp_path / SETTINGS).write_text(json.dumps(settings))
    with pytest.raises(DataError, match="KeyError"):
        load(tmp_path)
