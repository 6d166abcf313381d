"""Phoenix: spans known by OpenInference's names."""

from __future__ import annotations

from tests.formats.logs.agent_examples import OTEL, PHOENIX, PHOENIX_FRAME

from assize.conversation import Conversation, ToolCall, Turn
from assize.formats.logs.phoenix import recognise, write
from assize.formats.logs.spans import history
from assize.formats.rows import Sample


def test_spans_and_rows_of_the_frame_are_known() -> None:
    assert recognise(Sample("json", (PHOENIX,), "x"))
    assert recognise(Sample("json", (PHOENIX_FRAME,), "x"))
    assert not recognise(Sample("json", (OTEL,), "x"))
    assert not recognise(Sample("json", ({"llm.input": 1},), "x"))


def test_a_custom_tool_goes_there_and_back() -> None:
    call = ToolCall("c", "shell", "ls -l", {"type": "custom", "custom": {}})
    turns = (Turn("user", "List."), Turn("assistant", "", tool_calls=(call,)))
    (span,) = write(Conversation("c", turns))
    (_, turn) = history(span)
    assert (turn.tool_calls[0].name, turn.tool_calls[0].arguments) == ("shell", "ls -l")
