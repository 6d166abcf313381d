from __future__ import annotations

import numpy as np
import pytest

import assize
from assize import Conversation, Judgment, JudgmentTable, Question
from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator, features_of
from assize.calibrate._data.features import Features
from assize.calibrate._lessons import Lessons, lessons_of


def taught_by(
    calibrators: list[FittedCalibrator],
    features: Features,
    chats: list[Conversation],
    samples: int | None = None,
) -> Lessons:
    return lessons_of(calibrators, features, chats, np.random.default_rng(0), samples=samples)


def test_drawn_answers_stand_for_the_same_means(
    said: JudgmentTable, chats: list[Conversation], fitted: FittedCalibrator
) -> None:
    drawn = taught_by([fitted], features_of(said), chats, 40)
    assert len(drawn.labels) == 40 * 60
    first = [int(str(row.answer)) for row in drawn.labels if row.item == "i0"]
    assert np.mean(first) == pytest.approx(drawn.means.rows()[0].score, abs=0.05)


def test_one_question_is_taught_once(
    said: JudgmentTable, chats: list[Conversation], fitted: FittedCalibrator
) -> None:
    with pytest.raises(ConfigError, match="one calibrator a question: received Q0, Q0"):
        taught_by([fitted, fitted], features_of(said), chats)


def test_answers_without_an_order_are_refused(
    said: JudgmentTable, chats: list[Conversation]
) -> None:
    kinds = Question("kind", kind="nominal", answers=("chat", "task"))
    rows = [
        Judgment(f"i{n}", "eve", "kind", answer=("chat", "task")[n % 2], kind="person")
        for n in range(60)
    ]
    fitted = assize.calibrate.fit(said, JudgmentTable.of(rows, [kinds]), target="kind")
    with pytest.raises(ConfigError, match="the answers to 'kind' are not ordered"):
        taught_by([fitted], features_of(said), chats)
