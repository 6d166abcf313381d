"""Metrics of tool calls: by hand, and what holds of any calls; and the judge `tool-calls`."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assize
from assize.base.conversation import Continuation, Conversation, Pair, ToolCall, Turn
from assize.base.errors import DataError
from assize.judging.judges.tool_calls import (
    TOOL_METRICS,
    ToolCallsJudge,
    calls_in,
    calls_made_in,
)
from assize.reference import tool_call_metrics

A, A2, B = ({"name": name, "arguments": {"x": x}} for name, x in (("a", 1), ("a", 2), ("b", 1)))

# made, expected, and by hand: exact, in order, any order, precision, recall, F1 (with arguments)
CASES: list[tuple[list[Any], list[Any], tuple[float, ...]]] = [
    ([A, B], [A, B], (1, 1, 1, 1, 1, 1)),
    ([B, A], [A, B], (0, 0, 1, 1, 1, 1)),
    ([A, A2, B], [A, B], (0, 1, 1, 2 / 3, 1, 4 / 5)),
    ([A2, B], [A, B], (0, 0, 0, 1 / 2, 1 / 2, 1 / 2)),
    ([A], [A, A], (0, 0, 0, 1, 1 / 2, 2 / 3)),  # a call counts for one
    ([], [A], (0, 0, 0, float("nan"), 0, 0)),
    ([A], [], (0, 1, 1, 0, float("nan"), 0)),
    ([], [], (1, 1, 1, float("nan"), float("nan"), 1)),
]
KINDS = ("exact", "in-order", "any-order", "precision", "recall", "f1")


@pytest.mark.parametrize(("made", "expected", "by_hand"), CASES)
def test_figures_by_hand(made: list[Any], expected: list[Any], by_hand: tuple[float, ...]) -> None:
    found = tool_call_metrics(made, expected)
    assert [found[f"calls-{kind}"] for kind in KINDS] == pytest.approx(by_hand, nan_ok=True)


def test_tools_alone_do_not_ask_for_arguments() -> None:
    found = assize.reference.tool_call_metrics([A2, B], [A, B])
    assert (found["tools-f1"], found["calls-exact"]) == (1, 0)
    # `b` is right in its one argument, `a` is not: (0 + 1) / 2.
    assert found["arguments"] == 0.5


def test_arguments_are_compared_with_the_call_that_fits_best() -> None:
    made = [{"name": "a", "args": {"x": 1, "y": 2, "z": 3}}, {"name": "a", "args": {"x": 9}}]
    expected = [{"name": "a", "args": {"x": 1, "y": 5}}, {"name": "a", "args": {"x": 9}}]
    # x of {x, y, z} for the first; the second is equal: (1/3 + 1) / 2.
    assert tool_call_metrics(made, expected)["arguments"] == pytest.approx(2 / 3)
    assert tool_call_metrics([], expected)["arguments"] == 0
    assert isnan(tool_call_metrics(made, [])["arguments"])
    text = [{"name": "sh", "arguments": "ls"}]
    assert tool_call_metrics(text, text)["arguments"] == 1


CALLS = st.lists(
    st.builds(
        lambda name, x: ToolCall("", name, {"x": x}), st.sampled_from("abc"), st.integers(0, 2)
    ),
    max_size=5,
)


@given(CALLS, CALLS)
def test_what_holds_of_any_calls(made: list[ToolCall], expected: list[ToolCall]) -> None:
    found = tool_call_metrics(made, expected)
    assert set(found) == set(TOOL_METRICS)
    assert all(isnan(value) or 0 <= value <= 1 for value in found.values())
    exact, in_order, any_order = (found[f"calls-{kind}"] for kind in KINDS[:3])
    assert exact <= in_order <= any_order
    if expected:
        assert (any_order == 1) == (found["calls-recall"] == 1)
    assert found["calls-f1"] == tool_call_metrics(expected, made)["calls-f1"]
    assert found["calls-f1"] <= found["tools-f1"]
    assert tool_call_metrics(made, made)["calls-exact"] == 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: calls_made_in(Pair("p", (), (), ())), TypeError, "measured of no Pair"),
        (
            lambda: calls_in("search", "expected_tool_calls"),
            DataError,
            "expected a list of calls",
        ),
        (lambda: tool_call_metrics([{}], []), DataError, "names no tool"),
    ],
)
def test_what_holds_no_calls_is_refused(
    call: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()


CALL = {"name": "order", "arguments": {"id": 7}}


def chat(name: str, expected: Any) -> Conversation:
    turns = (Turn("assistant", "", tool_calls=(ToolCall("t", "order", {"id": 7}),)),)
    given = {} if expected is None else {"expected_tool_calls": expected}
    return Conversation(name, turns, metadata=given)


def test_conversations_and_continuations_are_scored(tmp_path: Path) -> None:
    answer = Continuation(
        "k", (), "x", extra={"tool_calls": [CALL]}, metadata={"expected_tool_calls": [CALL]}
    )
    items = [chat("right", [CALL]), chat("wrong", [{**CALL, "name": "refund"}]), answer]
    table = assize.reference.score(items, preset="tools", out=tmp_path / "run", quiet=True)
    rows = {(row.item, row.question): row for row in table}
    assert rows["right", "calls-exact"].score == 1
    assert rows["wrong", "tools-f1"].score == 0
    assert rows["k", "calls-exact"].score == 1
    assert {row.judge for row in table} == {"tool-calls"}
    assert len(rows) == 3 * len(TOOL_METRICS)


def test_what_cannot_be_measured_is_unscored_and_says_why() -> None:
    table = assize.judge(
        [chat("c", None), chat("d", [{}]), chat("e", [])], ["tool-calls"], quiet=True
    )
    rows = {(row.item, row.question): row.unscored for row in table}
    reasons = {key: None if why is None else why.reason for key, why in rows.items()}
    assert reasons["c", "calls-f1"] == "missing"
    assert reasons["d", "calls-f1"] == "bad_item"
    assert (reasons["e", "calls-recall"], reasons["e", "calls-f1"]) == ("undefined", None)
    assert ToolCallsJudge().signature == ToolCallsJudge().signature
