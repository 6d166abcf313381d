"""What calibrators teach a small evaluator: predicted answers of conversations, as labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.calibrate._data.features import Features
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._inputs import Raters
from assize.calibrate._prediction.predictions import judge_name, prediction_tables, rater_places
from assize.calibrate._prediction.sampled_labels import check_teacher, sample_labels
from assize.evaluator._distilling import Teacher
from assize.judgments import JudgmentTable
from assize.judgments.membership import unit_labels


@dataclass(frozen=True, slots=True)
class Taught:
    """Whose answers are taught, and how.

    Args:
        samples: answers drawn of each conversation and question; None for their expected value.
    """

    raters: Raters = "all"
    samples: int | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one calibrator teaches: labels to learn from, and the means that they stand for."""

    question: Question
    teacher: Teacher
    labels: Sequence[Judgment]
    means: Sequence[Judgment]


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """What all teach together.

    Args:
        labels: to learn from; `means` are the expected answers that these stand for.
    """

    teachers: tuple[Teacher, ...]
    questions: Sequence[Question]
    labels: JudgmentTable
    means: JudgmentTable


def lessons_of(
    calibrators: Sequence[FittedCalibrator],
    taught: Taught,
    features: Features,
    items: Sequence[Item],
    rng: np.random.Generator,
) -> Lessons:
    """Labels of all items by all calibrators.

    Args:
        features: answers about the items.
        rng: of the draws.

    Raises:
        ConfigError: two calibrators predict one question, or answers are not ordered.
        DataError: no item has a field that a correction needs.
    """
    each = [lesson_of(one, taught, features, items, rng) for one in calibrators]
    questions: dict[str, Question] = {}
    for one in each:
        if one.question.id in questions:
            raise ConfigError(
                f"two of these calibrators predict {one.question.id!r}; give one a question"
            )
        questions[one.question.id] = one.question
    asked = list(questions.values())
    labels = JudgmentTable.of((row for one in each for row in one.labels), asked)
    means = JudgmentTable.of((row for one in each for row in one.means), asked)
    return Lessons(tuple(one.teacher for one in each), asked, labels, means)


def lesson_of(
    fitted: FittedCalibrator,
    taught: Taught,
    features: Features,
    items: Sequence[Item],
    rng: np.random.Generator,
) -> Lesson:
    """Predicts all items by a calibrator; draws labels, or takes the means as such."""
    calibrator = fitted.calibrator
    check_teacher(calibrator)
    places = rater_places(calibrator, taught.raters)
    groups = unit_labels(fitted.fields, features.units, items)
    there = fitted.on(features, items)

    def predicted(together: Literal["mean"] | None) -> list[Judgment]:
        return list(
            chain.from_iterable(
                prediction_tables(
                    there,
                    features,
                    places,
                    groups=groups,
                    combine=together,
                )
            )
        )

    means = predicted("mean")
    drawn = taught.samples
    labels = means if drawn is None else list(sample_labels(predicted(None), drawn, rng))
    unscored = sum(row.unscored is not None for row in means)
    names = tuple(judge_name(calibrator, place).partition(":")[2] for place in places)
    corrected = fitted.corrected
    question = calibrator.target.question
    teacher = Teacher(
        question.id, fitted.signature, names, corrected, len(means) - unscored, unscored
    )
    return Lesson(question, teacher, labels, means)
