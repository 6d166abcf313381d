from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.calibration import UNKNOWN, Features, fit_default, predict, save
from assize.calibration.artefact import signature
from assize.calibration.groups.corrected import CorrectedCalibrator, open_corrected
from assize.calibration.groups.multicalibration import Correction, Patch, save_correction
from assize.calibration.prediction.predictions import prediction_tables
from assize.errors import ConfigError


def level(x: np.ndarray) -> np.ndarray:
    p = np.stack([x[:, :4] + 0.1, x[:, 3::-1] + 0.1], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture
def forms(worlds: Callable[..., Any]) -> Any:
    return worlds(level, rows=200, raters=2, seed=1).forms


def patched(fitted: Any) -> Correction:
    """r1's answers, and answers about German items, are lower than predicted."""
    patches = (Patch("rater", "r1", 1, None, 1.5), Patch("metadata.language", "de", 1, None, 1.0))
    fields = ("rater", "metadata.language")
    return Correction(signature(fitted), fields, patches, 0.02, 50, 600, 300)


def test_a_correction_is_made_for_each_rater_and_group(forms: Any) -> None:
    fitted = fit_default(forms)
    some = Features(forms.features.units[:4], forms.features.blocks, forms.features.x[:4])
    groups = {"metadata.language": ("de", "en", None, "de")}
    whole = CorrectedCalibrator(fitted, patched(fitted))
    p, before = whole.predict(some, [0, 1, UNKNOWN], groups), predict(fitted, some, [0, 1, UNKNOWN])
    lower = p[..., :2].sum(axis=2) - before[..., :2].sum(axis=2)
    assert (lower > 0.01).tolist() == [
        [True, True, True], [False, True, False], [False, True, False], [True, True, True],
    ]  # fmt: skip
    assert np.array_equal(p[1:3, 0], before[1:3, 0])
    assert p.sum(axis=2) == pytest.approx(1)
    assert whole.signature == patched(fitted).signature != CorrectedCalibrator(fitted).signature
    rows = list(next(prediction_tables(whole, some, [0, 1], groups=groups, combine="mean")))
    assert rows[0].distribution == pytest.approx(dict(zip("1234", p[0, :2].mean(0), strict=True)))
    assert {row.signature for row in rows} == {whole.signature}
    with pytest.raises(ConfigError, match=r"corrected is by metadata\.language: give the groups"):
        whole.predict(some, [0])


def test_a_folder_is_opened_with_its_correction_or_without(forms: Any, tmp_path: Path) -> None:
    fitted = fit_default(forms)
    save(fitted, tmp_path)
    assert open_corrected(tmp_path).correction is None
    save_correction(patched(fitted), tmp_path)
    assert open_corrected(str(tmp_path)).correction == patched(fitted)
    plain = open_corrected(tmp_path, uncorrected=True)
    assert plain.correction is None
    assert plain.signature == signature(fitted)
