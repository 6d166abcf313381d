"""A model that is asked three questions: one that tells, one that follows it, one that is idle."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.judgment import Judgment, Question
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features
from assize.judgments import JudgmentTable

SCALE = ("1", "2", "3")
ASKED = [
    Question(name, "?", "ordinal", SCALE, (1.0, 2.0, 3.0)) for name in ("main", "twin", "idle")
]
MAIN, TWIN, IDLE = range(3)


def tables(items: int = 120) -> tuple[JudgmentTable, JudgmentTable]:
    """`main` says what people answer, `twin` follows it loosely, `idle` says nothing."""
    rng = np.random.default_rng(0)
    said, rated = [], []
    for number in range(items):
        level = rng.normal()
        centres = (level, level + rng.normal(0, 0.7), rng.normal())
        for question, centre in zip(ASKED, centres, strict=True):
            mass = np.exp(-((np.array([-1, 0, 1]) - centre) ** 2))
            shares = dict(zip(SCALE, (0.95 * mass / mass.sum()).tolist(), strict=True))
            answer = "NA" if question.id == "idle" and number % 4 == 0 else None
            spread = None if answer else shares
            row = Judgment(f"i{number}", "m", question.id, answer=answer, distribution=spread)
            said.append(row)
        for rater in "ab":
            answer = str(int(np.clip(np.round(level + rng.normal(0, 0.4)), -1, 1)) + 2)
            rated.append(Judgment(f"i{number}", rater, "main", answer=answer, kind="person"))
    return JudgmentTable.of(said, ASKED), JudgmentTable.of(rated, ASKED[:1])


@pytest.fixture(scope="module")
def features() -> Features:
    return features_of(tables()[0])


@pytest.fixture(scope="module")
def calibrator(features: Features) -> Calibrator:
    return fit_default(forms_of(features, tables()[1], "main"))
