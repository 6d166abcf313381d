"""Which question of a rubric to ask next, for a model that is being asked right now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assize.base.errors import ConfigError
from assize.base.judgment import NOT_APPLICABLE, Judgment, Question
from assize.base.signature import sign
from assize.calibrate._active.adaptive_rubric import AdaptiveRubric
from assize.calibrate._active.impute_answers import fit_imputer
from assize.calibrate._artefact import load, signature
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import FloatArray, features_of, questions_of
from assize.formats import read_judgments
from assize.judging.judge import Choice
from assize.judging.options import RubricOptions
from assize.judgments import JudgmentTable


@dataclass(frozen=True)
class CalibratedChooser:
    """Chooses by a calibrator's main score; blocks of other judges stay open and are not asked."""

    judge: str  # whose questions are asked; the calibrator reads its answers
    adaptive: AdaptiveRubric  # the calibrator, and what draws answers that were not asked
    least: float  # see `RubricOptions`

    @cached_property
    def signature(self) -> str:
        """Of calibrator, imputer and limit."""
        imputer = self.adaptive.imputer
        numbers = (imputer.mean.tolist(), imputer.covariance.tolist())
        return sign(signature(self.adaptive.calibrator), numbers, self.least)

    def next(self, rows: Mapping[str, Judgment], open_: Sequence[Question]) -> Choice | None:
        """The best open question; None where none takes off enough, but one is always asked."""
        gains = self.adaptive.state(self._row(rows)).gains
        blocks = self.adaptive.calibrator.blocks
        wanted = {question.id for question in open_}
        each = {
            blocks[place].question: gain
            for place, gain in gains.items()
            if blocks[place].judge == self.judge and blocks[place].question in wanted
        }
        if not each:
            return None
        best = max(each, key=lambda name: each[name])
        asked = any(row.answer != NOT_APPLICABLE for row in rows.values())
        return Choice(best, each[best]) if each[best] >= self.least or not asked else None

    def _row(self, rows: Mapping[str, Judgment]) -> FloatArray:
        """What is known of the item (D,), NaN where nothing is."""
        blocks = self.adaptive.calibrator.blocks
        read = {block.question for block in blocks if block.judge == self.judge}
        known = [row for row in rows.values() if row.unscored is None and row.question in read]
        if not known:
            return np.full(sum(block.width for block in blocks), np.nan)
        table = JudgmentTable.of(known, self._questions)
        row: FloatArray = features_of(table).aligned(blocks).x[0]
        return row

    @cached_property
    def _questions(self) -> list[Question]:
        """The scales that the calibrator was fitted on."""
        mine = [one for one in self.adaptive.calibrator.blocks if one.judge == self.judge]
        return questions_of(mine)


def open_chooser(
    judge: str, questions: Sequence[Question], options: RubricOptions
) -> CalibratedChooser:
    """The chooser of an adaptive rubric, for one judge and what it may ask."""
    folder = str(options.adaptive)
    calibrator = load(folder)
    judges = sorted({block.judge for block in calibrator.blocks})
    if judge not in judges:
        raise ConfigError(
            f"the calibrator {folder} reads {', '.join(judges)} and not {judge};"
            " ask with that judge, or fit one on this judge's answers"
        )
    _check_questions(calibrator, folder, judge, questions)
    if not options.answered:
        raise ConfigError("an adaptive rubric learns from answers to all questions: answered=")
    answered = features_of(read_judgments(list(options.answered))).aligned(calibrator.blocks)
    everyone = tuple(range(len(calibrator.raters)))
    return CalibratedChooser(
        judge, AdaptiveRubric(calibrator, fit_imputer(answered), everyone), options.least
    )


def _check_questions(
    calibrator: Calibrator, folder: str, judge: str, questions: Sequence[Question]
) -> None:
    read = {block.question: block.answers for block in calibrator.blocks if block.judge == judge}
    if not any(one.id in read for one in questions):
        raise ConfigError(
            f"the calibrator {folder} reads the questions {', '.join(read)}, of which the rubric"
            " asks none; give the rubric that it was fitted on"
        )
    for one in questions:
        if read.get(one.id, one.answers) != one.answers:
            raise ConfigError(
                f"the calibrator {folder} reads {one.id} with the answers"
                f" {', '.join(read[one.id])}; the rubric has {', '.join(one.answers)}"
            )
