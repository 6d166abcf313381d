"""`tool-calls`: the calls an item makes against those it says are right, one question a metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Literal

from assize.base.conversation import Continuation, Conversation
from assize.base.errors import DataError
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.judging.judge import JudgeOffer, Task, judge_one
from assize.judging.records import task_key
from assize.reference._metrics.tool_calls import EXPECTED, TOOL_METRICS, expected_of, made_in

NAME = "tool-calls"
VERSION = 2  # rises when the same calls give other numbers


@dataclass(frozen=True)
class ToolCallsJudge:
    """The metrics of tool calls behind the protocol of judges."""

    name: str = NAME

    kind: JudgeKind = "metric"
    needs_model: Literal[False] = False
    takes: tuple[type, ...] = (Conversation, Continuation)
    rows_vary: bool = False
    sees_order: bool = False

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """One a metric."""
        return tuple(metric.question for metric in TOOL_METRICS.values())

    @cached_property
    def signature(self) -> str:
        """Of the metrics."""
        return sign({"judge": NAME, "version": VERSION, "metrics": list(TOOL_METRICS)})

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """A row a metric; an item that does not say which calls are right is unscored."""
        return [list(self._rows(task)) for task in tasks]

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One item's rows."""
        return await judge_one(self, task)

    def _rows(self, task: Task) -> Iterator[Judgment]:
        call = f"{task_key(task.item.id, self.name, task.order, task.repeat):016x}"
        values = _values(task)
        for name in TOOL_METRICS:
            given = values if isinstance(values, Unscored) else values[name]
            missing = given if isinstance(given, Unscored) else None
            yield Judgment(
                task.item.id,
                self.name,
                name,
                score=None if isinstance(given, Unscored) else given,
                unscored=missing,
                repeat=task.repeat,
                call=call,
            )


def _values(task: Task) -> dict[str, float | Unscored] | Unscored:
    try:
        expected, made = expected_of(task.item), made_in(task.item)
    except DataError as error:
        return Unscored("bad_item", str(error))
    if expected is None:
        return Unscored("missing", f"the item has no `{EXPECTED}` in its metadata")
    found = {name: metric.value(made, expected) for name, metric in TOOL_METRICS.items()}
    nothing = Unscored("undefined", "no call was made" if not made else "no call is expected")
    return {name: nothing if isnan(value) else value for name, value in found.items()}


TOOL_CALLS_JUDGE = JudgeOffer(
    "tool calls against those that are right: exact, in order, F1; no model is asked",
    lambda target, context: ToolCallsJudge(),
)
