"""What calibrators teach a small evaluator: predicted answers of conversations, as labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from assize.base.conversation import Item
from assize.base.judgment import Judgment, Question
from assize.calibrate._calibrator import check_questions
from assize.calibrate._data.features import Features
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._inputs import Raters
from assize.calibrate._prediction.predictions import judge_name, prediction_tables, rater_places
from assize.calibrate._prediction.sampled_labels import sample_labels
from assize.evaluator._distilling import Teacher
from assize.judgments import JudgmentTable
from assize.judgments.membership import unit_labels


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
    features: Features,
    items: Sequence[Item],
    rng: np.random.Generator,
    *,
    raters: Raters = "all",
    samples: int | None = None,
) -> Lessons:
    """Labels of all items by all calibrators.

    Args:
        features: answers about the items.
        rng: of the draws.
        raters: whose answers are taught.
        samples: answers drawn of each conversation and question; None for their expected value.

    Raises:
        ConfigError: two calibrators predict one question, or answers are not ordered.
        DataError: no item has a field that a correction needs.
    """
    check_questions([fitted.calibrator for fitted in calibrators])
    questions: list[Question] = []
    teachers: list[Teacher] = []
    labels: list[Judgment] = []
    means: list[Judgment] = []
    for fitted in calibrators:
        question = fitted.target.question
        fitted.target.check_ordered(
            "no score stands for them; take a calibrator of a question whose answers are"
        )
        questions.append(question)
        places = rater_places(fitted.calibrator, raters)
        expected = _predicted(fitted, features, items, places, "mean")
        means += expected
        if samples is None:
            labels += expected
        else:
            shares = _predicted(fitted, features, items, places, None)
            labels += sample_labels(shares, samples, rng)
        unscored = sum(row.unscored is not None for row in expected)
        names = tuple(judge_name(fitted.calibrator, row).partition(":")[2] for row in places)
        scored = len(expected) - unscored
        teachers.append(
            Teacher(question.id, fitted.signature, names, fitted.corrected, scored, unscored)
        )
    tables = (JudgmentTable.of(rows, questions) for rows in (labels, means))
    return Lessons(tuple(teachers), questions, *tables)


def _predicted(
    fitted: FittedCalibrator,
    features: Features,
    items: Sequence[Item],
    raters: Sequence[int],
    combine: Literal["mean"] | None,
) -> list[Judgment]:
    """Return what raters are predicted to answer about all items, each or together."""
    groups = unit_labels(fitted.fields, features.units, items)
    here = fitted.for_items(features, items)
    tables = prediction_tables(here, features, raters, groups=groups, combine=combine)
    return list(chain.from_iterable(tables))
