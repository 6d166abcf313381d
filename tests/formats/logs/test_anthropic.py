"""Anthropic messages: what is theirs alone."""

from __future__ import annotations

from tests.formats.logs.agent_examples import ANTHROPIC, OPENAI

from assize.base.conversation import Conversation
from assize.formats.format import Options
from assize.formats.logs.anthropic import is_anthropic, read, recognise
from assize.formats.rows import Row, Sample


def test_only_messages_with_blocks_of_tools_or_thinking_are_theirs() -> None:
    assert recognise(Sample("json", (ANTHROPIC,), "x"))
    assert not recognise(Sample("json", (OPENAI,), "x"))
    assert is_anthropic({"content": [{"type": "thinking", "thinking": "hm"}]})


def test_the_system_prompt_stands_beside_the_messages() -> None:
    system = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    (found,) = read(Row({**ANTHROPIC, "system": system}, "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    assert (found.turns[0].role, found.turns[0].text) == ("system", "Be brief.")


def test_what_is_neither_text_nor_a_call_stays_beside_the_turn() -> None:
    thinking = {"type": "thinking", "thinking": "hm"}
    said = {"role": "assistant", "stop_reason": "end_turn", "usage": None}
    message = said | {"content": [thinking, {"type": "text", "text": "Yes."}]}
    (found,) = read(Row({"messages": [message]}, "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    (turn,) = found.turns
    assert turn.text == "Yes."
    assert turn.extra == {"stop_reason": "end_turn", "content": message["content"]}
