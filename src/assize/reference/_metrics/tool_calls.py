"""Metrics over sequences of tool calls: those an assistant made against those it should have made.

Letters: M calls that were made, E calls that were expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assize.base.conversation import Continuation, Conversation, Item, ToolCall
from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.formats.tool_calls import read_tool_call

EXPECTED = "expected_tool_calls"  # in an item's metadata, or beside it: the calls that are right
MADE = "tool_calls"  # of a continuation: the calls that its candidate makes

Calls = Sequence[ToolCall]
NAN = float("nan")


@dataclass(frozen=True, slots=True)
class ToolMetric:
    """One metric: its question and what computes it; in [0, 1], NaN where it is undefined."""

    id: str
    about: str
    value: Callable[[Calls, Calls], float]

    @property
    def question(self) -> Question:
        """For the judge, and for statistics."""
        return Question(self.id, text=self.about, kind="number", range=(0.0, 1.0), higher="better")


def exact(made: Calls, expected: Calls) -> float:
    """1 where the calls are the expected ones, in their order, and no others; else 0."""
    return float(_plain(made) == _plain(expected))


def in_order(made: Calls, expected: Calls) -> float:
    """1 where the expected calls were made in their order, whatever came between; else 0."""
    left = iter(_plain(made))
    return float(all(call in left for call in _plain(expected)))


def any_order(made: Calls, expected: Calls) -> float:
    """1 where every expected call was made, in any order, whatever else was; else 0."""
    return float(_count_made(made, expected) == len(expected))


def _plain(calls: Calls) -> list[tuple[str, Any]]:
    """The tool and the arguments of each call; ids do not count."""
    return [(call.name, call.arguments) for call in calls]


def _count_made(made: Calls, expected: Calls) -> int:
    """How many expected calls were made; a call counts for one."""
    left = _plain(made)
    for call in _plain(expected):
        if call in left:
            left.remove(call)
    return len(made) - len(left)


def precision(made: Calls, expected: Calls) -> float:
    """The share of the calls made that were expected; NaN where none was made."""
    return _count_made(made, expected) / len(made) if made else NAN


def recall(made: Calls, expected: Calls) -> float:
    """The share of the expected calls that were made; NaN where none was expected."""
    return _count_made(made, expected) / len(expected) if expected else NAN


def f1(made: Calls, expected: Calls) -> float:
    """2 made / (M + E); 1 where none was expected and none made."""
    total = len(made) + len(expected)
    return 2 * _count_made(made, expected) / total if total else 1.0


def tools_f1(made: Calls, expected: Calls) -> float:
    """`f1` of the tools alone, whatever the arguments."""
    bare = [[replace(call, arguments={}) for call in calls] for calls in (made, expected)]
    return f1(*bare)


def arguments(made: Calls, expected: Calls) -> float:
    """Mean over expected calls of how many of their arguments were right; NaN where there is none.

    Each expected call, in order, is compared with the call of the same tool that fits it best and
    was not compared yet: equal arguments over all that either has. A call not made counts 0.
    """
    left = list(made)
    shares = []
    for one in expected:
        fits = [(_alike(call, one), -at) for at, call in enumerate(left) if call.name == one.name]
        share, place = max(fits, default=(0.0, 1))
        if place <= 0:
            left.pop(-place)
        shares.append(share)
    return sum(shares) / len(shares) if shares else NAN


def _alike(one: ToolCall, other: ToolCall) -> float:
    first, second = one.arguments, other.arguments
    if not isinstance(first, Mapping) or not isinstance(second, Mapping):
        return float(first == second)
    names = set(first) | set(second)
    equal = sum(name in first and name in second and first[name] == second[name] for name in names)
    return equal / len(names) if names else 1.0


# To add a metric: add its row, mirror its test.
TOOL_METRICS: Mapping[str, ToolMetric] = {
    name: ToolMetric(name, about, value)
    for name, about, value in (
        ("calls-exact", "The expected calls, in their order, and no others", exact),
        ("calls-in-order", "The expected calls in their order, others between them", in_order),
        ("calls-any-order", "The expected calls in any order, others beside them", any_order),
        ("calls-precision", "Share of the calls made that were expected", precision),
        ("calls-recall", "Share of the expected calls that were made", recall),
        ("calls-f1", "F1 of the calls made and expected; 1 where there are none", f1),
        ("tools-f1", "F1 of the tools called, whatever the arguments", tools_f1),
        ("arguments", "Share of the expected calls' arguments that were right", arguments),
    )
}


def tool_call_metrics(made: Sequence[Any], expected: Sequence[Any]) -> dict[str, float]:
    """Every metric of the calls that an assistant made against those that it should have made.

    Args:
        made: M calls in order: `ToolCall`s, or objects in any shape that logs give them.
        expected: E calls, likewise.

    Returns:
        By metric a number in [0, 1]; NaN where it is undefined (the precision of no call, the
        recall of none expected). `calls-...` compare tools and arguments, `tools-f1` tools alone.

    Raises:
        DataError: a call names no tool.

    >>> tool_call_metrics([{"name": "find", "args": {"q": 1}}], [{"name": "find"}])["tools-f1"]
    1.0
    """
    first, second = calls_in(made, "made"), calls_in(expected, "expected")
    return {name: metric.value(first, second) for name, metric in TOOL_METRICS.items()}


def calls_in(values: Any, field: str) -> tuple[ToolCall, ...]:
    """The calls in a list; raises DataError where it is none, or one names no tool."""
    if not isinstance(values, list | tuple):
        raise DataError(f"received {ascii(values)[:60]}; expected a list of calls", field=field)
    return tuple(
        one if isinstance(one, ToolCall) else read_tool_call(one, f"{field}[{at}]")
        for at, one in enumerate(values)
    )


def expected_of(item: Item) -> tuple[ToolCall, ...] | None:
    """The calls that an item says are right; None where it says nothing."""
    given = item.metadata.get(EXPECTED, item.extra.get(EXPECTED))
    return None if given is None else calls_in(given, EXPECTED)


def made_in(item: Item) -> tuple[ToolCall, ...]:
    """The calls of a conversation, or of a continuation's candidate, in order."""
    if isinstance(item, Conversation):
        return tuple(call for turn in item.turns for call in turn.tool_calls)
    if isinstance(item, Continuation):
        return calls_in(item.extra.get(MADE, item.metadata.get(MADE, ())), MADE)
    raise TypeError(f"tool calls are measured of no {type(item).__name__}")
