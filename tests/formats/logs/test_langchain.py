"""LangChain messages: lists, states of graphs, objects dumped by their class."""

from __future__ import annotations

from tests.formats.logs.agent_examples import LANGCHAIN, OPENAI

from assize.base.conversation import Conversation
from assize.formats.format import Options
from assize.formats.logs.langchain import read, recognise
from assize.formats.rows import Row, Sample


def test_messages_are_known_by_their_type() -> None:
    assert recognise(Sample("json", (LANGCHAIN["messages"],), "x"))
    assert not recognise(Sample("json", (OPENAI,), "x"))


def test_objects_dumped_by_their_class_are_read() -> None:
    dumped = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "HumanMessage"],
        "kwargs": {"content": "Hi", "type": "human"},
    }
    assert recognise(Sample("json", ([dumped],), "x"))
    (found,) = read(Row([dumped], "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    assert [(turn.role, turn.text) for turn in found.turns] == [("user", "Hi")]


def test_calls_with_bad_arguments_are_invalid_ones() -> None:
    bad = {"name": "f", "args": "{bad", "id": "a", "error": None, "type": "invalid_tool_call"}
    message = {"type": "ai", "content": "", "invalid_tool_calls": [bad]}
    (found,) = read(Row([message], "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    assert found.turns[0].tool_calls[0].arguments == "{bad"
