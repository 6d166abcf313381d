from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import two_raters

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
)
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting


@pytest.fixture(scope="module")
def forms() -> Any:
    return two_raters(300)


def fit_kind(forms: Any, kind: str) -> Any:
    if kind != "network":
        return fit_default(forms)
    pytest.importorskip("torch")
    personal = (False, True, True)
    return fit_networks(forms, Setting(4, 4, 32, 0.01, 1, 1, personal=personal), [0, 1])


@pytest.mark.parametrize("kind", ["hierarchical", "network"])
def test_a_calibrator_comes_back_as_it_was(kind: str, forms: Any, tmp_path: Path) -> None:
    fitted = fit_kind(forms, kind)
    signed = save(fitted, tmp_path, {"forms": 300})
    again = load(tmp_path)
    mine, other = (predict(one, forms.features, [0, UNKNOWN]) for one in (fitted, again))
    assert np.array_equal(mine, other)
    assert signature(again) == open_artefact(KIND, tmp_path).signature == signed
    assert again.raters == fitted.raters


def test_the_same_fit_is_the_same_bytes(forms: Any, tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(fit_default(forms), tmp_path / name)
    a, b = ({one.name: one.read_bytes() for one in (tmp_path / n).iterdir()} for n in "ab")
    assert len(a) == 2
    assert a == b


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
    facts = settings["facts"]
    nobody = {name: part for name, part in facts["calibrator"].items() if name != "raters"}
    for change, told in (
        ({"format": 99}, "format 99 of calibrator; this version reads 4"),
        ({"facts": facts | {"kind": "oracle"}}, "kind 'oracle' of calibrator is not known"),
        (
            {"facts": facts | {"calibrator": nobody}},
            r"calibration\.json.*Hierarchical needs 'raters'",
        ),
        ({"facts": {"kind": facts["kind"], "about": {}}}, "KeyError"),
    ):
        manifest.write_text(json.dumps(settings | change))
        with pytest.raises(DataError, match=told):
            load(tmp_path)


COLUMNS = r"do not fit|the design is not that of the blocks"


@pytest.mark.parametrize(
    ("path", "changed", "told"),
    [
        ([], {"raters": ["r0", "r0"]}, "stands there twice"),
        ([], {"raters": ["r0"]}, r"a posterior of shape \(3, \d+\) is not of the raters"),
        ([], {"raters": [0, 1]}, "expected str"),
        ([], {"given": [0, 1, 2, 9]}, "answers that were given are not the target's"),
        ([], {"given": [1, 0, 2]}, "posteriors are not those|answers that were given"),
        ([], {"spare": -0.5}, "is below 0|answers that were given are not the target's"),
        ([], {"open_level": -1.0}, "is below 0"),
        ([], {"comparisons": 1}, "comparisons: received 1; expected NoneType"),
        ([], {"sets": {"by": "system", "names": [], "posteriors": []}}, "or there is none"),
        ([], {"sets": {"by": "system", "names": ["a"], "posteriors": [[]]}}, "are not those"),
        ([], {"posteriors": []}, "posteriors are not those"),
        (["design"], {"applies": [7]}, "what applies is no block"),
        (["design"], {"center": "x"}, "design: center: received 'x'"),
        (["target"], {"values": [1, 2]}, "answers and values of 'Q0'"),
        (["posteriors", 0], {"noise": -1.0}, "noise of a posterior"),
        (["posteriors", 0], {"steps": 0}, "do not fit each other"),
        (["posteriors", 0, "variances"], {"late": -1}, "variance is below"),
        (["blocks", 0], {"answers": ["1", "1", "3", "4"]}, COLUMNS),
        (["blocks", 0], {"values": [1]}, COLUMNS),
        (["blocks", 0], {"size": 3}, COLUMNS),
        (["blocks", 0], {"late": True}, COLUMNS),
        (["networks", 0, "shape"], {"hidden1": 5}, "not those of its setting"),
        (["networks", 0, "shape"], {"hidden1": 0}, "sizes below 1"),
        (["networks", 0, "shape"], {"answers": [5]}, "not of the network's sizes"),
        (["networks", 0, "shape"], {"answers": [3, 4]}, "not of the network's sizes"),
        (["networks", 0, "shape"], {"raters": 0}, "not of the network's sizes"),
        (["networks", 0, "shape"], {"inputs": 9}, "inputs are not the network's"),
        (["network"], {"networks": []}, "there is no network"),
        (["network"], {"raters": ["r0"]}, "of 2 raters is not of these raters|is unknown"),
    ],
)
def test_facts_that_do_not_fit_each_other_are_refused(
    path: list[Any], changed: dict[str, Any], told: str, forms: Any, tmp_path: Path
) -> None:
    """The folder says other facts of the same arrays, with hashes that fit."""
    save(fit_kind(forms, "network" if path[:1] in (["network"], ["networks"]) else ""), tmp_path)
    found = open_artefact(KIND, tmp_path)
    facts = json.loads(json.dumps(found.facts))
    part = facts["calibrator"]
    for key in path if path != ["network"] else []:
        part = part[key]
    part.update(changed)
    keep(KIND, tmp_path, facts, found.arrays(), found.signature)
    with pytest.raises(DataError, match=told):
        load(tmp_path)


@pytest.mark.parametrize("kind", ["hierarchical", "network"])
def test_every_array_is_needed_and_no_other(kind: str, forms: Any, tmp_path: Path) -> None:
    signed = save(fit_kind(forms, kind), tmp_path)
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
