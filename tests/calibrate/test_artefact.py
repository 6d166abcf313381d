from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.base.artefacts import attach, open_artefact
from assize.base.artefacts import save as keep
from assize.base.errors import DataError
from assize.base.line_checksum import unseal_record
from assize.calibrate import fit_default
from assize.calibrate._artefact import CORRECTION, KIND, load, save, signature
from assize.calibrate._calibrator import predict
from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._groups.multicalibration import (
    Correction,
    Patch,
    load_correction,
    save_correction,
)
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting


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
    settings = unseal_record(json.loads(manifest.read_text()))
    weights = tmp_path / settings["files"]["weights"]["name"]
    whole = weights.read_bytes()
    weights.write_bytes(whole[:200])
    with pytest.raises(DataError, match=r"damaged, or not the file .* fit it again"):
        load(tmp_path)
    weights.write_bytes(whole)
    manifest.write_text(json.dumps(settings | {"format": 99}))
    with pytest.raises(DataError, match="format 99 of calibrator; this version reads 4"):
        load(tmp_path)
    facts = settings["facts"]
    manifest.write_text(json.dumps(settings | {"facts": facts | {"kind": "oracle"}}))
    with pytest.raises(DataError, match="kind 'oracle' of calibrator is not known"):
        load(tmp_path)
    del facts["calibrator"]["raters"]
    manifest.write_text(json.dumps(settings))
    with pytest.raises(DataError, match=r"calibration\.json.*Hierarchical needs 'raters'"):
        load(tmp_path)
    del facts["calibrator"]
    manifest.write_text(json.dumps(settings))
    with pytest.raises(DataError, match="KeyError"):
        load(tmp_path)


Change = Callable[[dict[str, Any]], object]


def refit(folder: Path, change: Change) -> None:
    """The folder says other facts of the same arrays, with hashes that fit."""
    found = open_artefact(KIND, folder)
    facts = json.loads(json.dumps(found.facts))
    change(facts["calibrator"])
    keep(KIND, folder, facts, found.arrays(), found.signature)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"raters": ["r0", "r0"]}, "stands there twice"),
        ({"raters": ["r0"]}, r"a posterior of shape \(3, \d+\) is not of the raters"),
        ({"raters": [0, 1]}, "expected str"),
        ({"given": [0, 1, 2, 9]}, "answers that were given are not the target's"),
        ({"given": [1, 0, 2]}, "posteriors are not those|answers that were given"),
        ({"spare": -0.5}, "is below 0|answers that were given are not the target's"),
        ({"open_level": -1.0}, "is below 0"),
        ({"comparisons": 1}, "comparisons: received 1; expected NoneType"),
        ({"sets": {"by": "system", "names": [], "posteriors": []}}, "or there is none"),
        ({"sets": {"by": "system", "names": ["a"], "posteriors": [[]]}}, "are not those"),
        ({"posteriors": []}, "posteriors are not those"),
    ],
)
def test_facts_that_do_not_fit_each_other_are_refused(
    changed: dict[str, Any], told: str, forms: Any, tmp_path: Path
) -> None:
    save(fit_default(forms), tmp_path)
    refit(tmp_path, lambda facts: facts.update(changed))
    with pytest.raises(DataError, match=told):
        load(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda facts: facts["design"].update(applies=[7]), "what applies is no block"),
        (lambda facts: facts["target"].update(values=[1, 2]), "answers and values of 'Q0'"),
        (lambda facts: facts["posteriors"][0].update(noise=-1.0), "noise of a posterior"),
        (lambda facts: facts["posteriors"][0]["variances"].update(late=-1), "variance is below"),
        (lambda facts: facts["posteriors"][0].update(steps=0), "do not fit each other"),
        (lambda facts: facts["design"].update(center="x"), "design: center: received 'x'"),
    ],
)
def test_parts_that_do_not_fit_each_other_are_refused(
    change: Change, told: str, forms: Any, tmp_path: Path
) -> None:
    save(fit_default(forms), tmp_path)
    refit(tmp_path, change)
    with pytest.raises(DataError, match=told):
        load(tmp_path)


@pytest.mark.parametrize(
    "changed", [{"answers": ["1", "1", "3", "4"]}, {"values": [1]}, {"size": 3}, {"late": True}]
)
def test_blocks_whose_columns_do_not_fit_are_refused(
    changed: dict[str, Any], forms: Any, tmp_path: Path
) -> None:
    save(fit_default(forms), tmp_path)
    refit(tmp_path, lambda facts: facts["blocks"][0].update(changed))
    with pytest.raises(DataError, match=r"do not fit|the design is not that of the blocks"):
        load(tmp_path)


def test_networks_of_other_sizes_are_refused(forms: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    fitted = fit_networks(forms, Setting(4, 4, 32, 0.01, 1, 1), [0])
    for changed, told in (
        ({"hidden1": 5}, "not those of its setting"),
        ({"hidden1": 0}, "sizes below 1"),
        ({"answers": [5]}, "not of the network's sizes"),
        ({"answers": [3, 4]}, "not of the network's sizes"),
        ({"raters": 0}, "not of the network's sizes"),
        ({"inputs": 9}, "inputs are not the network's"),
    ):
        save(fitted, tmp_path)
        refit(tmp_path, lambda facts, new=changed: facts["networks"][0]["shape"].update(new))  # type: ignore[misc]
        with pytest.raises(DataError, match=told):
            load(tmp_path)
    for changes, told in (
        ({"networks": []}, "there is no network"),
        ({"raters": ["r0"]}, "of 2 raters is not of these raters"),
    ):
        save(fitted, tmp_path)
        refit(tmp_path, lambda facts, new=changes: facts.update(new))  # type: ignore[misc]
        with pytest.raises(DataError, match=told + "|is unknown"):
            load(tmp_path)


@pytest.mark.parametrize("kind", ["hierarchical", "network"])
def test_every_array_is_needed_and_no_other(kind: str, forms: Any, tmp_path: Path) -> None:
    if kind == "network":
        pytest.importorskip("torch")
    network = Setting(4, 4, 32, 0.01, 1, 1)
    fitted = fit_default(forms) if kind == "hierarchical" else fit_networks(forms, network, [0, 1])
    signed = save(fitted, tmp_path)
    found = open_artefact(KIND, tmp_path)
    arrays = found.arrays()
    for name in arrays:
        lacking = {other: array for other, array in arrays.items() if other != name}
        keep(KIND, tmp_path, found.facts, lacking, signed)
        with pytest.raises(DataError, match=f"there is no array '{name}'"):
            load(tmp_path)
        odd = {**arrays, name: np.full_like(arrays[name], np.nan)}
        if arrays[name].size and arrays[name].dtype.kind == "f":
            keep(KIND, tmp_path, found.facts, odd, signed)
            with pytest.raises(DataError, match=f"array '{name}' holds what is no finite number"):
                load(tmp_path)
    keep(KIND, tmp_path, found.facts, {**arrays, "more": np.zeros(1)}, signed)
    with pytest.raises(DataError, match="array 'more' is unknown"):
        load(tmp_path)
    keep(KIND, tmp_path, found.facts, arrays, signed)
    assert signature(load(tmp_path)) == signed


def test_a_scale_that_is_none_is_refused(forms: Any, tmp_path: Path) -> None:
    save(fit_default(forms), tmp_path)
    found = open_artefact(KIND, tmp_path)
    arrays = found.arrays()
    name = "design.scale"
    keep(KIND, tmp_path, found.facts, {**arrays, name: arrays[name] * 0}, found.signature)
    with pytest.raises(DataError, match="a scale of the design is not above 0"):
        load(tmp_path)


@pytest.mark.parametrize(
    "changed", [{"event": 3}, {"event": -1}, {"bin": 10}, {"shift": 99.0}, {"field": "system"}]
)
def test_a_patch_of_what_is_not_there_is_refused(
    changed: dict[str, Any], forms: Any, tmp_path: Path
) -> None:
    fitted = fit_default(forms)
    save(fitted, tmp_path)
    patch = Patch("rater", "r0", 0, None, 0.5)
    correction = Correction(signature(fitted), ("rater",), (patch,), 0.02, 50, 9, 9)
    facts = asdict(correction) | {"patches": [asdict(patch) | changed]}
    attach(open_artefact(KIND, tmp_path), CORRECTION, ".json", json.dumps(facts).encode())
    with pytest.raises(DataError, match="a patch"):
        load_correction(tmp_path, fitted)


def test_the_folder_says_its_signature(forms: Any, tmp_path: Path) -> None:
    fitted = fit_default(forms)
    save(fitted, tmp_path)
    assert open_artefact(KIND, tmp_path).signature == signature(fitted)
