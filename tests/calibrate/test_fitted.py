from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator, fit_default, load_calibrator
from assize.calibrate._artefact import signature
from assize.calibrate._calibrator import predict
from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._groups.multicalibration import Correction, Patch
from assize.calibrate._kinds import fit_forms
from assize.calibrate._prediction.predictions import prediction_tables


def patched(fitted: Any) -> Correction:
    """r1's answers, and answers about German items, are lower than predicted."""
    patches = (Patch("rater", "r1", 1, None, 1.5), Patch("metadata.language", "de", 1, None, 1.0))
    fields = ("rater", "metadata.language")
    return Correction(signature(fitted), fields, patches, 0.02, 50, 600, 300)


def test_a_correction_is_made_for_each_rater_and_group(forms: Any) -> None:
    fitted = fit_default(forms)
    some = forms.features.take(np.arange(4))
    groups = {"metadata.language": ("de", "en", None, "de")}
    whole = FittedCalibrator(fitted, patched(fitted))
    before = predict(fitted, some, [0, 1, UNKNOWN])
    p = whole.probabilities(some, [0, 1, UNKNOWN], groups)
    lower = p[..., :2].sum(axis=2) - before[..., :2].sum(axis=2)
    assert (lower > 0.01).tolist() == [
        [True, True, True],
        [False, True, False],
        [False, True, False],
        [True, True, True],
    ]
    assert np.array_equal(p[1:3, 0], before[1:3, 0])
    assert p.sum(axis=2) == pytest.approx(1)
    assert whole.signature == patched(fitted).signature != FittedCalibrator(fitted).signature
    rows = list(next(prediction_tables(whole, some, [0, 1], groups=groups, combine="mean")))
    assert rows[0].distribution == pytest.approx(dict(zip("1234", p[0, :2].mean(0), strict=True)))
    assert {row.signature for row in rows} == {whole.signature}
    with pytest.raises(ConfigError, match=r"corrected is by metadata\.language: give the groups"):
        whole.probabilities(some, [0])


def test_what_is_saved_is_opened_again_with_its_correction_or_without(
    forms: Any, tmp_path: Path
) -> None:
    fitted = fit_default(forms)
    whole = FittedCalibrator(fitted, patched(fitted), {"target": "Q0", "forms": 200})
    whole.save(tmp_path)
    again, plain = load_calibrator(tmp_path), load_calibrator(str(tmp_path), uncorrected=True)
    assert again.correction == patched(fitted)
    assert plain.correction is None
    assert again.signature == whole.signature
    assert plain.signature == signature(fitted)
    assert (again.raters, again.target.id) == (("r0", "r1"), "Q0")
    assert again.to_json() == {
        "about": {"target": "Q0", "forms": 200},
        "folder": str(tmp_path),
        "signature": whole.signature,
    }
    FittedCalibrator(fitted).save(tmp_path)
    assert load_calibrator(tmp_path).correction is None


def test_a_fit_shows_what_it_learnt_from_and_what_could_not_enter(forms: Any) -> None:
    fitted, about = fit_forms(forms)
    shown = FittedCalibrator(fitted, None, about, "mine")
    assert shown.notes[0] == "mine: Q0 by 2 raters, from 200 ratings in 200 forms"
    assert shown.notes[-1].startswith(
        f"  are {len(set(forms.item.tolist()))} items, 2 raters, 200 ratings enough?"
        " `assize study calibration`"
    )
    assert "forms" in str(shown)
    assert repr(shown) == "<calibrator of Q0: 2 raters>"
    assert "200 forms" in shown._repr_html_()
    helped = FittedCalibrator(fitted, None, {**about, "helpers": 3, "helpers_count": 0.5})
    assert "3 more raters help, are not predicted, and count 0.5 each" in helped.notes[1]
    bare = FittedCalibrator(fitted)
    assert bare.notes == ()
    assert str(bare) == repr(bare)
