"""Events of a streamed message become the body of a whole one, also against a real server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from chat_server import ChatServer

from assize.errors import ServerError
from assize.models import Models, Request, messages, stream
from assize.models.anthropic_events import Events

pytest.importorskip("anthropic", reason="anthropic is not installed")


def ask(server: ChatServer, monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[Any]:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")

    async def once() -> list[Any]:
        async with Models() as models:
            request = Request(messages(("system", "Help."), ("user", "Hi")), **more)
            return [one async for one in stream(models.open("anthropic:claude"), request)]

    return asyncio.run(once())


def test_a_message_is_streamed_with_its_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(says="Turn it off and on again.") as server:
        *pieces, reply = ask(server, monkeypatch)
        assert server.seen[0].body["stream"] is True
    assert len(pieces) == 6
    assert "".join(pieces) == reply.text == "Turn it off and on again."
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (40, 7)
    assert (reply.model, reply.finish) == ("claude", "stop")


def test_under_a_schema_the_answer_is_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {"type": "object", "properties": {"answer": {"enum": ["A"]}}}
    with ChatServer() as server:
        piece, reply = ask(server, monkeypatch, schema=schema)
    assert piece == reply.text == '{"answer": "A"}'


@pytest.mark.parametrize("fault", ["stream_cut", "stream_ends", "stream_error"])
def test_an_answer_that_breaks_off_is_a_servers_error(
    monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    server = ChatServer(says="a b c d e", fault=lambda number, body: fault)
    with server, pytest.raises(ServerError):
        ask(server, monkeypatch)
    assert len(server.seen) == 1


def test_a_missing_stop_reason_means_that_it_broke_off() -> None:
    events = Events()
    assert events.add({"type": "content_block_delta", "delta": {"text": "Hi"}}) == "Hi"
    with pytest.raises(ServerError, match="broke off"):
        events.whole()


def test_another_form_is_a_servers_error() -> None:
    with pytest.raises(ServerError, match="another form"):
        Events().add({"type": "content_block_delta"})
