from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.artefacts import open_artefact
from assize.calibration import UNKNOWN, Setting, fit_default, fit_networks, load, predict, save
from assize.calibration.artefact import KIND, signature
from assize.calibration.groups.multicalibration import (
    Correction,
    load_correction,
    save_correction,
)
from assize.errors import DataError

OLD = Path(__file__).parent / "kept"  # written by 0.1.0, before manifests listed files


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
    a, b = ({one.name: one.read_bytes() for one in (tmp_path / n).iterdir()} for n in "ab")
    assert len(a) == 2
    assert a == b


def test_a_calibrator_of_an_earlier_version_opens_with_its_correction(worlds: Any) -> None:
    kept = load(OLD)
    assert signature(kept) == "b207d8895621"
    correction = load_correction(OLD, kept)
    assert isinstance(correction, Correction)
    assert (len(correction.patches), correction.signature) == (4, "267d10629077")
    features = worlds(level, rows=40, raters=2, seed=1).forms.features
    ann, unknown = predict(kept, features, [0, UNKNOWN])[0]
    assert ann == pytest.approx([0.370734971974, 0.373565812795, 0.143195938501, 0.112503276730])
    assert unknown == pytest.approx(
        [0.213548335412, 0.295854056048, 0.195349733547, 0.295247874993]
    )


def test_an_earlier_versions_folder_is_written_anew_whole(tmp_path: Path) -> None:
    shutil.copytree(OLD, tmp_path / "c")
    kept = load(OLD)
    found = load_correction(OLD, kept)
    assert found is not None
    save_correction(found, tmp_path / "c")
    assert load_correction(tmp_path / "c", load(tmp_path / "c")) == found
    assert save(kept, tmp_path / "c") == "b207d8895621"
    assert load_correction(tmp_path / "c", kept) is None
    assert len(list((tmp_path / "c").iterdir())) == 2


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
    with pytest.raises(DataError, match="format 99 of calibrator; this version reads 2, 3"):
        load(tmp_path)
    facts = settings["facts"]
    manifest.write_text(json.dumps(settings | {"facts": facts | {"kind": "oracle"}}))
    with pytest.raises(DataError, match="kind 'oracle' of calibrator is not known"):
        load(tmp_path)
    del facts["raters"]
    manifest.write_text(json.dumps(settings))
    with pytest.raises(DataError, match="KeyError"):
        load(tmp_path)


def test_the_folder_says_its_signature(forms: Any, tmp_path: Path) -> None:
    fitted = fit_default(forms)
    save(fitted, tmp_path)
    assert open_artefact(KIND, tmp_path).signature == signature(fitted)
