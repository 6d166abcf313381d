from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assize import Judgment, JudgmentTable
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.calibrate import FittedCalibrator
from assize.calibrate._groups.multicalibration import Correction
from assize.calibrate._inputs import (
    calibrator_of,
    calibrators_of,
    group_of,
    ratings_beside,
)


def test_a_folder_and_what_it_was_written_from_are_the_same(
    fitted: FittedCalibrator, tmp_path: Path
) -> None:
    fitted.save(tmp_path)
    given: list[Any] = [tmp_path, str(tmp_path), fitted, fitted.calibrator]
    assert {calibrator_of(one).signature for one in given} == {fitted.signature}
    assert len(calibrators_of(given)) == 4
    assert len(calibrators_of(tmp_path)) == 1


def test_a_correction_is_left_out_on_request(fitted: FittedCalibrator) -> None:
    learnt = Correction(fitted.signature, ("rater",), (), 0.02, 50, 600, 300)
    whole = FittedCalibrator(fitted.calibrator, learnt, {"forms": 3})
    assert calibrator_of(whole) is whole
    bare = calibrator_of(whole, uncorrected=True)
    assert bare.correction is None
    assert bare.about == {"forms": 3}


@pytest.mark.parametrize("given", [3, {"raters": []}, None])
def test_what_is_no_calibrator_is_told(given: Any) -> None:
    with pytest.raises(ConfigError, match=f"calibrator: received {type(given).__name__}; give"):
        calibrator_of(given)


def test_raters_stand_in_one_group() -> None:
    assert group_of({"crowd": "3, 17", "staff": ["ann", "bob"]}) == {
        "3": "crowd",
        "17": "crowd",
        "ann": "staff",
        "bob": "staff",
    }
    assert group_of(None) == {}


def test_only_what_is_answered_is_read(fitted: FittedCalibrator, rated: JudgmentTable) -> None:
    with pytest.raises(DataError, match="ratings by people; give a model's answers"):
        fitted.predict(rated)


@pytest.mark.parametrize("stated", [True, False])
def test_ratings_are_called_as_the_questions_that_a_model_answered(stated: bool) -> None:
    number = Question("overall", kind="number", range=(0, 1))
    answers = JudgmentTable.of([Judgment("i", "bot", "overall", score=0.5)], [number])
    scale = [Question("Overall", "", "ordinal", ("1", "2"), (1, 2))] if stated else []
    rows = [Judgment("i", "ann", "Overall", answer="2", kind="person")]
    ratings = JudgmentTable.of(rows, scale)
    assert ratings_beside(answers, ratings, "Overall").asked == ("overall",)
