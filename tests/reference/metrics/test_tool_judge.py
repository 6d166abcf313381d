"""The judge `tool-calls`: a row a metric, and why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import assize
from assize.base.conversation import Continuation, Conversation, ToolCall, Turn
from assize.reference._metrics.tool_calls import TOOL_METRICS
from assize.reference._metrics.tool_judge import ToolCallsJudge

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
