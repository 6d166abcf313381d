"""Anthropic messages: what is theirs alone."""

from __future__ import annotations

from tests.formats.logs.agent_examples import ANTHROPIC, OPENAI

from assize.conversation import Conversation, ToolCall, Turn
from assize.formats.logs.anthropic import is_anthropic, plain, read, recognise, write
from assize.formats.rows import Row, Sample


def test_only_messages_with_blocks_of_tools_or_thinking_are_theirs() -> None:
    assert recognise(Sample("json", (ANTHROPIC,), "x"))
    assert not recognise(Sample("json", (OPENAI,), "x"))
    assert is_anthropic({"content": [{"type": "thinking", "thinking": "hm"}]})


def test_the_system_prompt_stands_beside_the_messages() -> None:
    system = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    (found,) = read(Row({**ANTHROPIC, "system": system}, "a.jsonl", 1), {})
    assert isinstance(found, Conversation)
    assert (found.turns[0].role, found.turns[0].text) == ("system", "Be brief.")
    (again,) = write(found)
    assert again == {**ANTHROPIC, "system": system}


def test_results_of_one_turn_are_one_message_as_the_api_asks() -> None:
    calls = (ToolCall("a", "f"), ToolCall("b", "g", "not JSON"))
    turns = (
        Turn("assistant", "", tool_calls=calls),
        Turn("tool", "1", tool_call_id="a"),
        Turn("tool", "2", tool_call_id="b"),
    )
    (row,) = write(Conversation("c", turns))
    assert [len(one["content"]) for one in row["messages"]] == [2, 2]
    assert plain(turns[:1])["content"][1]["input"] == {"text": "not JSON"}
