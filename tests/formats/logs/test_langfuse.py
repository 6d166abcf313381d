"""Langfuse: traces, sessions, observations alone."""

from __future__ import annotations

from typing import Any

from tests.formats.logs.agent_examples import EXPECTED, LANGFUSE

from assize.base.conversation import Conversation
from assize.formats.format import Options
from assize.formats.logs.langfuse import gather, read, recognise
from assize.formats.rows import Row, Sample


def found(*values: Any) -> list[Conversation]:
    rows = gather((Row(value, "x", at) for at, value in enumerate(values, start=1)), Options())
    records = [record for row in rows for record in read(row, Options())]
    return [one for one in records if isinstance(one, Conversation)]


def trace(name: str, asked: str, answered: str, time: str) -> dict[str, Any]:
    times = {"timestamp": time, "sessionId": "s"}
    return {"id": name, "input": asked, "output": {"answer": answered}, **times}


def test_a_session_of_traces_is_a_conversation_in_order_of_time() -> None:
    later, first = (
        trace("t2", "And tea?", "Yes.", "2026-02"),
        trace("t1", "Milk?", "No.", "2026-01"),
    )
    (chat,) = found(later, first)
    assert [turn.text for turn in chat.turns] == ["Milk?", "No.", "And tea?", "Yes."]
    assert chat.metadata["trace_ids"] == ["t1", "t2"]
    (same,) = found({"id": "s", "traces": [later, first]})
    assert same.turns == chat.turns


def test_observations_alone_are_read_by_their_trace() -> None:
    listed = [{**one, "traceId": "t1"} for one in LANGFUSE["observations"]]
    assert recognise(Sample("json", (listed[0],), "x"))
    (chat,) = found(*listed)
    assert [(turn.role, turn.text) for turn in chat.turns] == [one[:2] for one in EXPECTED]
    assert (chat.id, chat.system) == ("t1", "gpt-5-mini")


def test_scores_and_metadata_are_known_of_the_conversation() -> None:
    (chat,) = found(LANGFUSE)
    assert (chat.metadata["bot_version"], chat.metadata["score_thumbs"]) == ("2.1", 1)
