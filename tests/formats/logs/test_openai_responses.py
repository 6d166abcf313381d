"""OpenAI responses: items, and what the server runs itself."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.formats.format import Options
from assize.formats.logs.openai_responses import read, read_items
from assize.formats.rows import Row


def one(value: Any) -> Conversation:
    (found,) = read(Row(value, "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    return found


def test_a_response_to_a_text_with_instructions_is_read() -> None:
    said = {"type": "message", "role": "assistant", "content": "Hi"}
    found = one({"id": "r", "instructions": "Be brief.", "input": "Hello", "output": [said]})
    assert [turn.role for turn in found.turns] == ["system", "user", "assistant"]


def test_a_tool_that_the_server_runs_is_a_call_by_its_kind() -> None:
    search = {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"q": "tea"}}
    (turn,) = read_items([search], "output", {})
    (call,) = turn.tool_calls
    assert (call.id, call.name, call.arguments) == ("ws", "web_search", {"action": {"q": "tea"}})


def test_a_response_without_items_is_refused() -> None:
    with pytest.raises(DataError, match="holds no items"):
        one({"id": "r", "output": []})
