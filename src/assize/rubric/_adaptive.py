"""The adaptive rubric: one question after the other, as long as asking pays.

Which question comes next is said by a chooser, which a method that predicts people offers
(the calibration); it is named by an import string, so that nothing imports sideways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Protocol

from assize.base.conversation import Conversation
from assize.base.errors import AnswerError, ConfigError, ModelError
from assize.base.judgment import JudgeKind, Judgment, Question
from assize.base.signature import sign
from assize.judging.judge import Choice, Judge, JudgeContext, Task
from assize.judging.options import RubricOptions
from assize.judging.prompt_judge import PromptJudge
from assize.rubric._asking import RubricJudge, variant_of
from assize.rubric._conditions import applies
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


def adaptive(judge: RubricJudge, options: RubricOptions) -> AdaptiveJudge:
    """The judge, asking only what pays; see the chooser for what is refused."""
    module, _, attribute = CHOOSER.partition(":")
    opened = getattr(import_module(module), attribute)
    chooser: Chooser = opened(judge.name, judge.questions, options)
    return AdaptiveJudge(judge, chooser)


@dataclass(frozen=True)
class AdaptiveJudge:
    """A rubric judge that asks only what pays, after the questions with skips; other signature."""

    rubric_judge: RubricJudge
    chooser: Chooser

    kind: JudgeKind = "model"
    takes: tuple[type, ...] = (Conversation,)
    rows_vary: bool = True

    @property
    def name(self) -> str:
        """As of the rubric judge, so that a calibrator reads its answers."""
        return self.rubric_judge.name

    @property
    def questions(self) -> tuple[Question, ...]:
        """What it may ask."""
        return self.rubric_judge.questions

    @property
    def prompt_version(self) -> str:
        """As of the rubric judge."""
        return self.rubric_judge.prompt_version

    def prompted(self, question: str | None = None) -> PromptJudge:
        """The single prompt behind a question."""
        return self.rubric_judge.prompted(question)

    @cached_property
    def signature(self) -> str:
        """Of the rubric judge and the chooser."""
        return sign({"adaptive": self.rubric_judge.signature, "chooser": self.chooser.signature})

    def signature_of(self, question: str) -> str:
        """As of the rubric judge: the choice of questions changes no answer."""
        return self.rubric_judge.signature_of(question)

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """Rows of what was asked and of what does not apply; raises where every call failed."""
        assert isinstance(task.item, Conversation)
        inner, rubric = self.rubric_judge, self.rubric_judge.rubric
        over: dict[str, str] = {}
        rows: dict[str, Judgment] = {}
        failed: list[ModelError | AnswerError] = []
        open_ = [one for one in self.questions if applies(one.applies, task.item)]
        for one in self.questions:
            if one not in open_:
                rows[one.id] = inner.not_applicable(one, task, over)
        step = 0
        while (choice := self._choice(rows, open_)) is not None:
            step += 1
            one = next(question for question in open_ if question.id == choice.question)
            open_.remove(one)
            found = await inner.ask(one, task)
            failed += [] if found.error is None else [found.error]
            details = {**(found.row.details or {}), "step": step, "gain": round(choice.gain, 6)}
            rows[one.id] = replace(found.row, details=details)
            for id in rubric.passed_over(one.id, found.row.answer):
                over.setdefault(id, f"{one.id}={found.row.answer}")
            for skipped in [question for question in open_ if question.id in over]:
                open_.remove(skipped)
                rows[skipped.id] = inner.not_applicable(skipped, task, over)
        if failed and len(failed) == step:
            raise failed[0]
        return [rows[one.id] for one in self.questions if one.id in rows]

    def _choice(self, rows: Mapping[str, Judgment], open_: Sequence[Question]) -> Choice | None:
        screening = [one for one in open_ if one.id in self.rubric_judge.rubric.skips]
        if screening:
            return Choice(screening[0].id, 0.0)
        return self.chooser.next(rows, open_) if open_ else None


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
        judge = RubricJudge(rubric, variant_of(context.variant, rubric), target, context)
        return judge if options.adaptive is None else adaptive(judge, options)


RUBRIC = RubricOffer("every question of a rubric (option rubric), each asked by itself")
