from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import two_raters

from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator, fit_default
from assize.calibrate._artefact import signature
from assize.calibrate._calibrator import Calibrator, predict
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import UNKNOWN, Scale
from assize.calibrate._prediction.predictions import prediction_tables, rater_places


def predicted(fitted: Calibrator, features: Features, raters: list[int], **how: Any) -> list[Any]:
    """The rows of the only table."""
    (table,) = prediction_tables(FittedCalibrator(fitted), features, raters, **how)
    return list(table)


@pytest.fixture(scope="module")
def fitted() -> Calibrator:
    return fit_default(two_raters())


def test_a_row_an_item_and_rater_with_mean_and_distribution(forms: Any, fitted: Any) -> None:
    some = forms.features.take(np.arange(3))
    rows = predicted(fitted, some, [1, UNKNOWN], loss="absolute")
    assert [(row.item, row.judge) for row in rows[:3]] == [
        ("i0", "calibration:r1"),
        ("i0", "calibration:unknown"),
        ("i1", "calibration:r1"),
    ]
    p = predict(fitted, some, [1])[0, 0]
    first = rows[0]
    assert first.distribution == pytest.approx(dict(zip("1234", p, strict=True)))
    assert first.score == pytest.approx(p @ [1, 2, 3, 4])
    assert first.answer == str(int((p.cumsum() < 0.5).sum()) + 1)
    assert first.details["at_most"]["2"] == pytest.approx(p[:2].sum())
    assert (first.kind, first.question) == ("evaluator", "Q0")
    assert first.signature == signature(fitted)


def test_an_item_without_answers_is_unscored_with_its_reason(fitted: Any) -> None:
    some = Features((("gone", 2),), fitted.blocks, np.full((1, 8), np.nan))
    (row,) = predicted(fitted, some, [0])
    assert (row.unscored.reason, row.item, row.turn, row.score) == ("missing", "gone", 2, None)


def test_unordered_answers_have_no_score_unless_asked(forms: Any) -> None:
    question = replace(forms.target.question, kind="nominal", values=None)
    fitted = fit_default(replace(forms, scales=(Scale.of(question), forms.scales[1])))
    plain = predicted(fitted, forms.features, [0])[0]
    assert plain.score is None
    assert len(plain.distribution) == 4
    asked = predicted(fitted, forms.features, [0], unordered=True)[0]
    mean = sum(k * p for k, p in enumerate(asked.distribution.values()))
    assert asked.score == pytest.approx(mean)


def test_raters_are_chosen_by_id(fitted: Any) -> None:
    assert rater_places(fitted, "all") == [0, 1]
    assert rater_places(fitted, "r1, unknown,r1") == [1, UNKNOWN]
    with pytest.raises(ConfigError, match="'eve' is not known; known are r0, r1; or unknown"):
        rater_places(fitted, "r0,eve")
    with pytest.raises(ConfigError, match="at least one rater"):
        rater_places(fitted, " ,")


def test_raters_together_are_one_row_an_item(forms: Any, fitted: Any) -> None:
    each = predict(fitted, forms.features, [0, 1])
    rows = predicted(fitted, forms.features, [0, 1], combine="highest")
    assert len(rows) == len(each)
    assert {row.judge for row in rows} == {"calibration:highest"}
    both_at_most_two = each[5, 0, :2].sum() * each[5, 1, :2].sum()
    assert rows[5].details["at_most"]["2"] == pytest.approx(both_at_most_two)
    mean = predicted(fitted, forms.features, [0, 1], combine="mean")[0]
    assert mean.distribution == pytest.approx(dict(zip("1234", each[0].mean(axis=0), strict=True)))
