"""`evaluator@default`, `evaluator@FOLDER`: an evaluator among the judges, and as a reward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question
from assize.evaluator._artefact import load_evaluator
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._hub import DEFAULT
from assize.evaluator._scoring import score_items
from assize.judging.judge import AsksNoModel, JudgeContext, Task, identical, tied
from assize.judging.options import EncoderOptions


@dataclass(frozen=True)
class EvaluatorJudge(AsksNoModel):
    """An evaluator behind the protocol of judges."""

    evaluator: Evaluator  # the artefact
    named: str | None = None  # its name among the judges; the artefact's own when None
    preference_only: bool = False  # leave out all but `preference`, as a reward is

    kind: JudgeKind = "evaluator"
    rows_vary: bool = True  # pairs are asked other questions than conversations

    @property
    def name(self) -> str:
        """`evaluator@NAME`."""
        return self.evaluator.judge if self.named is None else self.named

    @property
    def takes(self) -> tuple[type, ...]:
        """Pairs alone, where it is a reward."""
        return (Pair,) if self.preference_only else (Pair, Conversation, Continuation)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The evaluator's, each on one scale (see `Evaluator.apart`), or `preference` alone."""
        return (PREFERENCE,) if self.preference_only else self.evaluator.questions_apart

    @property
    def signature(self) -> str:
        """As of the evaluator."""
        return self.evaluator.signature

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """The evaluator's rows; as a reward, identical responses are a tie without being read."""
        read = [task for task in tasks if not self._ties(task)]
        scored = score_items((task.item for task in read), evaluator=self.evaluator)
        return [
            tied(self, task) if self._ties(task) else self._own(task, next(scored)[1])
            for task in tasks
        ]

    def _ties(self, task: Task) -> bool:
        return self.preference_only and identical(task.item)

    def _own(self, task: Task, rows: Sequence[Judgment]) -> list[Judgment]:
        """The rows under this judge's name."""
        kept = [
            row
            for row in self.evaluator.apart(task.item, rows)
            if not self.preference_only or row.question == PREFERENCE.id
        ]
        return [replace(row, judge=self.name, repeat=task.repeat, call=None) for row in kept]


def open_evaluator(target: str, context: JudgeContext) -> Evaluator:
    """The shipped evaluator, or the one in a folder, with the encoder that the user has named."""
    folder = None if target in ("", DEFAULT) else Path(target)
    return load_evaluator(folder, encoder=EncoderOptions(**context.options).encoder)


@dataclass(frozen=True, slots=True)
class Offered:
    """The row of the table."""

    about: str = "a local evaluator: evaluator@default for the shipped one, or its folder"

    def open(self, target: str, context: JudgeContext) -> EvaluatorJudge:
        """The judge that this artefact makes."""
        return EvaluatorJudge(open_evaluator(target, context))


EVALUATOR = Offered()


def open_reward(target: str, context: JudgeContext) -> EvaluatorJudge:
    """`reward@evaluator[:FOLDER]`: the side that the evaluator's first question puts higher."""
    found = open_evaluator(target, context)
    return EvaluatorJudge(found, named=f"reward@{found.judge}", preference_only=True)
