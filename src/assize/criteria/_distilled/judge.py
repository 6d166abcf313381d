"""`criteria@FILE@evaluator:FOLDER`: NetSAT and each criterion, from text alone, with no model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from assize.base.conversation import Conversation
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.criteria._criterion import NETSAT, CriteriaSet
from assize.criteria._distilled.heads import Line, evaluated
from assize.criteria._scoring import NAME, asked_by, net_row, under_names
from assize.judging.judge import Task, judge_one
from assize.judging.prompt_judge import unscored_rows

RawNumbers = Callable[[Iterable[Conversation]], Iterator[Mapping[str, float] | Unscored]]
"""Of each conversation a raw number by head, or why there is none."""

_VERSION = 1


@dataclass(frozen=True)
class DistilledJudge:
    """A set of criteria and the evaluator that scores conversations by it.

    Args:
        given: the set, with the labelling that was learnt for these scores.
        name: as in `--judge`.
        lines: by criterion.
        read: the evaluator's raw numbers.
        made_of: the evaluator's signature.
    """

    given: CriteriaSet
    name: str
    lines: Mapping[str, Line]
    read: RawNumbers
    made_of: str
    written: str = ""  # the set's file, or its name
    names: Mapping[str, str] = field(default_factory=dict)  # of questions that another set asks too

    kind: JudgeKind = "evaluator"
    takes: tuple[type, ...] = (Conversation,)
    rows_vary: bool = False
    needs_model: Literal[False] = False
    sees_order: bool = False

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """NetSAT, and each criterion."""
        return asked_by(self.given, self.written, self.names)

    def renamed(self, names: Mapping[str, str]) -> DistilledJudge:
        """The judge with names of its own for questions that another set asks otherwise."""
        return replace(self, names={**self.names, **names})

    @cached_property
    def signature(self) -> str:
        """Of the evaluator, the criteria, their lines and how labels are made."""
        labelling = self.given.labelling
        lines: dict[str, Any] = {name: asdict(one) for name, one in self.lines.items()}
        return sign(
            {"judge": f"{NAME}, distilled", "version": _VERSION, "evaluator": self.made_of},
            {"wording": self.given.wording, "lines": lines},
            {"labelling": None if labelling is None else asdict(labelling)},
        )

    def judge_many(self, tasks: Sequence[Task]) -> list[Sequence[Judgment]]:
        """NetSAT's row and one a criterion; all are unscored where there is no text to read."""
        items = [task.item for task in tasks]
        asked = [item for item in items if isinstance(item, Conversation)]
        return [self._rows(task, said) for task, said in zip(tasks, self.read(asked), strict=True)]

    def _rows(self, task: Task, said: Mapping[str, float] | Unscored) -> Sequence[Judgment]:
        if isinstance(said, Unscored):
            return unscored_rows(self, task, said)  # under the questions' names
        values = evaluated(said, self.lines, self.given.criteria)
        rows = {
            name: Judgment(task.item.id, self.name, name, score=value, repeat=task.repeat)
            for name, value in values.items()
        }
        empty = Judgment(task.item.id, self.name, NETSAT, repeat=task.repeat)
        found = [net_row(empty, rows, self.given), *rows.values()]
        return under_names(found, self.names)

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One task's rows."""
        return await judge_one(self, task)
