"""`tool-calls`: the calls an item makes against those it says are right, one question a metric.

Letters: M calls that were made, E calls that were expected.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any

from assize.base.conversation import Continuation, Conversation, Item, ToolCall
from assize.base.errors import DataError
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.formats.tool_calls import read_tool_call
from assize.judging.judge import AsksNoModel, JudgeOffer, Task
from assize.judging.records import task_key

NAME = "tool-calls"
VERSION = 2  # rises when the same calls give other numbers
EXPECTED = "expected_tool_calls"  # in an item's metadata, or beside it: the calls that are right
MADE = "tool_calls"  # of a continuation: the calls that its candidate makes
NAN = float("nan")

TOOL_METRICS: Mapping[str, str] = {
    "calls-exact": "The expected calls, in their order, and no others",
    "calls-in-order": "The expected calls in their order, others between them",
    "calls-any-order": "The expected calls in any order, others beside them",
    "calls-precision": "Share of the calls made that were expected",
    "calls-recall": "Share of the expected calls that were made",
    "calls-f1": "F1 of the calls made and expected; 1 where there are none",
    "tools-f1": "F1 of the tools called, whatever the arguments",
    "arguments": "Share of the expected calls' arguments that were right",
}
"""By id what each metric is; all are in [0, 1]."""


def tool_call_metrics(calls: Sequence[Any], expected: Sequence[Any]) -> dict[str, float]:
    """Compare the tool calls that an assistant made with those that it should have made.

    Args:
        calls: M calls made, in order: `ToolCall`s, or objects in any shape that logs give them.
        expected: E calls, likewise.

    Returns:
        By metric a number in [0, 1]; NaN where it is undefined (the precision of no call, the
        recall of none expected). `calls-...` compare tools and arguments, `tools-f1` tools alone;
        ids do not count, and a call counts for one. `arguments` is the mean over expected calls
        of how many of their arguments were right, 0 for a call that was not made.

    Raises:
        DataError: a call names no tool.

    >>> tool_call_metrics([{"name": "find", "args": {"q": 1}}], [{"name": "find"}])["tools-f1"]
    1.0
    """
    ours, right = calls_in(calls, "calls"), calls_in(expected, "expected")
    first = [(call.name, call.arguments) for call in ours]
    second = [(call.name, call.arguments) for call in right]
    hits = count_common(first, second)
    tools = count_common([call.name for call in ours], [call.name for call in right])
    total, left = len(first) + len(second), iter(first)
    return {
        "calls-exact": float(first == second),
        "calls-in-order": float(all(call in left for call in second)),
        "calls-any-order": float(hits == len(second)),
        "calls-precision": hits / len(first) if first else NAN,
        "calls-recall": hits / len(second) if second else NAN,
        "calls-f1": 2 * hits / total if total else 1.0,
        "tools-f1": 2 * tools / total if total else 1.0,
        "arguments": compare_arguments(ours, right),
    }


def count_common(first: Sequence[Any], second: Sequence[Any]) -> int:
    """How many of the second are in the first, each as often as it is in both.

    >>> count_common(["a", "a", "b"], ["b", "a"])
    2
    """
    left = list(first)
    for call in second:
        if call in left:
            left.remove(call)
    return len(first) - len(left)


def compare_arguments(calls: Sequence[ToolCall], expected: Sequence[ToolCall]) -> float:
    """Mean over expected calls of how many of their arguments were right; NaN where there is none.

    Each expected call, in order, is compared with the call of the same tool that fits it best and
    was not compared yet: equal arguments over all that either has. A call not made counts 0.
    """
    left = list(calls)
    shares = []
    for call in expected:
        fits = [
            (share_arguments(other.arguments, call.arguments), -index)
            for index, other in enumerate(left)
            if other.name == call.name
        ]
        share, index = max(fits, default=(0.0, 1))
        if fits:
            left.pop(-index)
        shares.append(share)
    return sum(shares) / len(shares) if shares else NAN


def share_arguments(first: Any, second: Any) -> float:
    """The share of the arguments of two calls that are equal."""
    if not isinstance(first, Mapping) or not isinstance(second, Mapping):
        return float(first == second)
    names: set[Hashable] = set(first) | set(second)
    equal = sum(name in first and name in second and first[name] == second[name] for name in names)
    return equal / len(names) if names else 1.0


def calls_in(values: Any, field: str) -> tuple[ToolCall, ...]:
    """The calls in a list; raises DataError where it is none, or one names no tool."""
    if not isinstance(values, list | tuple):
        raise DataError(f"received {ascii(values)[:60]}; expected a list of calls", field=field)
    return tuple(
        call if isinstance(call, ToolCall) else read_tool_call(call, f"{field}[{index}]")
        for index, call in enumerate(values)
    )


def expected_of(item: Item) -> tuple[ToolCall, ...] | None:
    """The calls that an item says are right; None where it says nothing."""
    calls = item.metadata.get(EXPECTED, item.extra.get(EXPECTED))
    return None if calls is None else calls_in(calls, EXPECTED)


def calls_made_in(item: Item) -> tuple[ToolCall, ...]:
    """The calls of a conversation, or of a continuation's candidate, in order."""
    if isinstance(item, Conversation):
        return tuple(call for turn in item.turns for call in turn.tool_calls)
    if isinstance(item, Continuation):
        return calls_in(item.extra.get(MADE, item.metadata.get(MADE, ())), MADE)
    raise TypeError(f"tool calls are measured of no {type(item).__name__}")


@dataclass(frozen=True)
class ToolCallsJudge(AsksNoModel):
    """The metrics of tool calls behind the protocol of judges."""

    name: str = NAME

    kind: JudgeKind = "metric"
    takes: tuple[type, ...] = (Conversation, Continuation)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """One a metric."""
        return tuple(
            Question(id, text=about, kind="number", range=(0.0, 1.0), higher="better")
            for id, about in TOOL_METRICS.items()
        )

    @cached_property
    def signature(self) -> str:
        """Of the metrics."""
        return sign({"judge": NAME, "version": VERSION, "metrics": list(TOOL_METRICS)})

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """A row a metric; an item that does not say which calls are right is unscored."""
        return [list(self._rows(task)) for task in tasks]

    def _rows(self, task: Task) -> Iterator[Judgment]:
        item, id = task.item, f"{task_key(task.item.id, self.name, task.order, task.repeat):016x}"
        values: Mapping[str, float] = {}
        why = Unscored("missing", f"the item has no `{EXPECTED}` in its metadata")
        try:
            expected, calls = expected_of(item), calls_made_in(item)
            if expected is not None:
                values = tool_call_metrics(calls, expected)
                why = Unscored("undefined", "no call is expected" if calls else "no call was made")
        except DataError as error:
            why = Unscored("bad_item", str(error))
        for name in TOOL_METRICS:
            value = values.get(name, NAN)
            score, reason = (None, why) if isnan(value) else (value, None)
            yield Judgment(
                item.id,
                self.name,
                name,
                score=score,
                unscored=reason,
                repeat=task.repeat,
                call=id,
            )


TOOL_CALLS_JUDGE = JudgeOffer(
    "tool calls against those that are right: exact, in order, F1; no model is asked",
    lambda target, context: ToolCallsJudge(),
)
