"""The adaptive rubric: one question after the other, as long as asking pays.

Which question comes next is said by a chooser, which a method that predicts people offers
(the calibration); it is named by an import string, so that nothing imports sideways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Protocol

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.base.signature import sign
from assize.judging.judge import Choice, Judge, JudgeContext, Task
from assize.judging.options import RubricOptions
from assize.rubric._asking import RubricJudge, Walk, variant_of
from assize.rubric._reading import load_rubric

CHOOSER = "assize.calibrate._active.question_chooser:open_chooser"


class Chooser(Protocol):
    """Says what to ask next about one item."""

    @property
    def signature(self) -> str:
        """Short hash of everything that could change a choice."""
        ...

    def next(self, rows: Mapping[str, Judgment], open_: Sequence[Question]) -> Choice | None:
        """The best of the open questions, given the rows so far by question id; None to stop."""
        ...


@dataclass(frozen=True)
class AdaptiveJudge(RubricJudge):
    """A rubric judge that asks only what pays, after the questions with skips; other signature.

    Its name is the rubric judge's, so that a calibrator reads its answers.
    """

    rows_vary: bool = True
    chooser: Chooser = field(kw_only=True)

    @cached_property
    def signature(self) -> str:
        """Of the rubric judge and the chooser."""
        return sign({"adaptive": self.sign_rubric(), "chooser": self.chooser.signature})

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """Rows of what was asked and of what does not apply; raises where every call failed."""
        walk, step = Walk(self, task), 0
        while (choice := self._choose(walk)) is not None:
            step += 1
            (question,) = [row for row in self.questions if row.id == choice.question]
            await walk.ask(question, step=step, gain=round(choice.gain, 6))
        return walk.finish()

    def _choose(self, walk: Walk) -> Choice | None:
        """Return what to ask next; None to stop."""
        open_ = walk.open()
        for question in open_:
            if question.id in self.rubric.skips:
                return Choice(question.id, 0.0)
        return self.chooser.next(walk.known(), open_) if open_ else None


@dataclass(frozen=True, slots=True)
class RubricOffer:
    """See `table.py`."""

    about: str
    variants: bool = True

    def open(self, target: str, context: JudgeContext) -> Judge:
        """The judge that asks this model the rubric of its options."""
        options = RubricOptions(**context.options)
        rubric = load_rubric(options.rubric)
        if not rubric.asked("models"):
            raise ConfigError(f"rubric {rubric.name} has questions for people only")
        settings = (rubric, variant_of(context.variant, rubric), target, context)
        judge = RubricJudge(*settings)
        if options.adaptive is None:
            return judge
        module, _, attribute = CHOOSER.partition(":")
        open_chooser = getattr(import_module(module), attribute)
        chooser: Chooser = open_chooser(judge.name, judge.questions, options)
        return AdaptiveJudge(*settings, chooser=chooser)


RUBRIC = RubricOffer("every question of a rubric (option rubric), each asked by itself")
