from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.calibrate._active.adaptive_rubric import AdaptiveRubric
from assize.calibrate._active.impute_answers import fit_imputer
from assize.calibrate._active.question_chooser import CalibratedChooser, open_chooser
from assize.calibrate._artefact import save
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features
from assize.judging.options import RubricOptions

SCALE = ("1", "2", "3")
MAIN, IDLE = (Question(name, "?", "ordinal", SCALE, (1.0, 2.0, 3.0)) for name in ("main", "idle"))


@pytest.fixture
def chooser(calibrator: Calibrator, features: Features) -> CalibratedChooser:
    return CalibratedChooser("m", AdaptiveRubric(calibrator, fit_imputer(features), (0, 1)), 0.0)


def test_what_tells_most_is_asked_next_among_what_is_open(chooser: Any) -> None:
    first = chooser.next({}, [MAIN, IDLE])
    assert first.question == "main"
    assert chooser.next({}, [IDLE]).question == "idle"
    assert first.gain > 0
    assert chooser.next({}, []) is None


def test_nothing_is_asked_that_takes_off_too_little_but_for_the_first(
    chooser: CalibratedChooser,
) -> None:
    strict = replace(chooser, least=1e6)
    assert strict.next({}, [MAIN, IDLE]) is not None
    known = {"main": Judgment("i", "m", "main", answer="2")}
    assert strict.next(known, [IDLE]) is None
    assert chooser.next(known, [IDLE]) is not None


def test_the_limit_is_part_of_the_signature(chooser: CalibratedChooser) -> None:
    assert chooser.signature == replace(chooser).signature
    assert chooser.signature != replace(chooser, least=0.1).signature


@pytest.mark.parametrize(
    ("model", "question", "message"),
    [
        ("other", MAIN, "reads m and not other"),
        ("m", replace(MAIN, id="else"), "of which the rubric asks none"),
        (
            "m",
            replace(MAIN, answers=("1", "2"), values=(1.0, 2.0)),
            "reads main with the answers 1, 2, 3; the rubric has",
        ),
        ("m", MAIN, "learns from answers to all questions"),
    ],
)
def test_a_rubric_that_the_calibrator_does_not_read_is_refused(
    calibrator: Calibrator, tmp_path: Path, model: str, question: Question, message: str
) -> None:
    save(calibrator, tmp_path)
    with pytest.raises(ConfigError, match=message):
        open_chooser(model, [question], RubricOptions(adaptive=str(tmp_path), least=0.0))
