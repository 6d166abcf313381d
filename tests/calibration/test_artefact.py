from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.artefacts import open_artefact
from assize.artefacts import save as keep
from assize.calibration import UNKNOWN, Setting, fit_default, fit_networks, load, predict, save
from assize.calibration.artefact import KIND, signature
from assize.calibration.groups.multicalibration import (
    Correction,
    Patch,
    load_correction,
    save_correction,
)
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
    setting = Setting(4, 4, 32, 0.01, 1, 1, personal=(False, True, True))
    fitted = fit_networks(forms, setting, [0, 1])
    save(fitted, tmp_path)
    mine, other = (predict(one, forms.features, [0, UNKNOWN]) for one in (fitted, load(tmp_path)))
    assert np.array_equal(mine, other)


def test_the_same_fit_is_the_same_bytes(forms: Any, tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(fit_default(forms), tmp_path / name)
    a, b = ({one.name: one.read_bytes() for one in (tmp_path / n).iterdir()} for n in "ab")
    assert len(a) == 2
    assert a == b


def test_a_correction_goes_with_the_calibrator_it_was_learnt_for(
    forms: Any, tmp_path: Path
) -> None:
    fitted = fit_default(forms)
    signed = save(fitted, tmp_path)
    patch = Patch("rater", "r0", 0, None, 0.5)
    learnt = Correction(signed, ("rater",), (patch,), 0.02, 50, 9, 9)
    save_correction(learnt, tmp_path)
    assert load_correction(tmp_path, load(tmp_path)) == learnt
    assert save(fitted, tmp_path) == signed
    assert load_correction(tmp_path, fitted) is None
    assert len(list(tmp_path.iterdir())) == 2


def test_another_weight_is_another_signature(forms: Any) -> None:
    assert signature(fit_default(forms)) != signature(fit_default(forms, own_share=0.4))


def test_damage_is_told(forms: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a calibrator is a folder with this file"):
        load(tmp_path / "nothing")
    save(fit_default(forms), tmp_path)
    manifest = tmp_path / KIND.manifest
    settings = json.loads(manifest.read_text())
    weights = tmp_path / settings["files"]["weights"]["name"]
    whole = weights.read_bytes()
    weights.write_bytes(whole[:200])
    with pytest.raises(DataError, match=r"damaged, or not the file .* fit it again"):
        load(tmp_path)
    weights.write_bytes(whole)
    manifest.write_text(json.dumps(settings | {"format": 99}))
    with pytest.raises(DataError, match="format 99 of calibrator; this version reads 3"):
        load(tmp_path)
    facts = settings["facts"]
    manifest.write_text(json.dumps(settings | {"facts": facts | {"kind": "oracle"}}))
    with pytest.raises(DataError, match="kind 'oracle' of calibrator is not known"):
        load(tmp_path)
    del facts["raters"]
    manifest.write_text(json.dumps(settings))
    with pytest.raises(DataError, match="KeyError"):
        load(tmp_path)


def refit(folder: Path, **changed: Any) -> None:
    """The folder says other facts of the same arrays, with hashes that fit."""
    found = open_artefact(KIND, folder)
    keep(KIND, folder, {**found.facts, **changed}, found.arrays(), found.signature)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"raters": ["r0", "r0"]}, "stands there twice"),
        ({"raters": ["r0"]}, r"'mean.0' has the shape \(3, "),
        ({"raters": [0, 1]}, "expected str"),
        ({"given": [0, 1, 2, 9]}, "answers that were given are not the target's"),
        ({"given": [1, 0, 2]}, "posteriors are not those|answers that were given"),
        ({"spare": -0.5}, "answers that were given are not the target's"),
        ({"applies": [7]}, "what applies is no block"),
        ({"choosing": 1}, "expected bool"),
        ({"posteriors": []}, "posteriors are not those"),
    ],
)
def test_facts_that_do_not_fit_each_other_are_refused(
    changed: dict[str, Any], told: str, forms: Any, tmp_path: Path
) -> None:
    save(fit_default(forms), tmp_path)
    refit(tmp_path, **changed)
    with pytest.raises(DataError, match=told):
        load(tmp_path)


@pytest.mark.parametrize(
    "changed", [{"answers": ["1", "1", "3", "4"]}, {"values": [1]}, {"size": 3}, {"late": True}]
)
def test_blocks_whose_columns_do_not_fit_are_refused(
    changed: dict[str, Any], forms: Any, tmp_path: Path
) -> None:
    save(fit_default(forms), tmp_path)
    blocks = open_artefact(KIND, tmp_path).facts["blocks"]
    refit(tmp_path, blocks=[{**blocks[0], **changed}, *blocks[1:]])
    with pytest.raises(DataError, match=r"do not fit|has the shape"):
        load(tmp_path)


def test_networks_of_other_sizes_are_refused(forms: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    save(fit_networks(forms, Setting(4, 4, 32, 0.01, 1, 1), [0]), tmp_path)
    shape = open_artefact(KIND, tmp_path).facts["shape"]
    for changed, told in (
        ({"hidden1": 5}, "not those of their setting"),
        ({"hidden1": 0}, "sizes below 1"),
        ({"answers": [4]}, "has the shape"),
        ({"answers": [3, 4]}, "not those of the target"),
        ({"raters": 0}, "networks of 0 raters"),
        ({"inputs": 9}, "has the shape"),
    ):
        refit(tmp_path, shape={**shape, **changed})
        with pytest.raises(DataError, match=told):
            load(tmp_path)
    refit(tmp_path, shape=shape, networks=10**9)
    with pytest.raises(DataError, match="1000000000 networks"):
        load(tmp_path)


def test_a_scale_that_is_none_is_refused(forms: Any, tmp_path: Path) -> None:
    save(fit_default(forms), tmp_path)
    found = open_artefact(KIND, tmp_path)
    arrays = found.arrays()
    keep(KIND, tmp_path, found.facts, {**arrays, "scale": arrays["scale"] * 0}, found.signature)
    with pytest.raises(DataError, match="a scale is not above 0"):
        load(tmp_path)


@pytest.mark.parametrize(
    "changed", [{"event": 3}, {"event": -1}, {"bin": 10}, {"shift": 99.0}, {"field": "system"}]
)
def test_a_patch_of_what_is_not_there_is_refused(
    changed: dict[str, Any], forms: Any, tmp_path: Path
) -> None:
    fitted = fit_default(forms)
    save(fitted, tmp_path)
    patch = replace(Patch("rater", "r0", 0, None, 0.5), **changed)
    one = Correction(signature(fitted), ("rater",), (patch,), 0.02, 50, 9, 9)
    save_correction(one, tmp_path)
    with pytest.raises(DataError, match="a patch"):
        load_correction(tmp_path, fitted)


def test_the_folder_says_its_signature(forms: Any, tmp_path: Path) -> None:
    fitted = fit_default(forms)
    save(fitted, tmp_path)
    assert open_artefact(KIND, tmp_path).signature == signature(fitted)
