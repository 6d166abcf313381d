"""The anthropic provider against a real local server."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from chat_server import ChatServer
from tests.base.loops import in_loop
from tests.models.conftest import use_model

from assize.base.errors import AuthenticationError, BadRequestError, RateLimitError, ServerError
from assize.models import Models, ModelSettings, Reply, Request, messages
from assize.models.anthropic import AnthropicModel, connect, open_anthropic
from assize.models.batch_model import Submission

pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")

SCHEMA = {"type": "object", "properties": {"answer": {"enum": ["A", "B"]}}}
ASK = Request(messages(("system", "Judge."), ("user", "A or B?")), SCHEMA, seed=1, max_tokens=9)


def ask(server: ChatServer, monkeypatch: pytest.MonkeyPatch, request: Request = ASK) -> Reply:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
    reply: Reply = use_model(
        lambda: AnthropicModel("claude", connect(timeout=2)), lambda model: model.ask(request)
    )
    return reply


def test_system_text_stands_apart_and_the_schema_is_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer() as server:
        reply = ask(server, monkeypatch)
        body = server.seen[0].body
    assert body["system"] == "Judge."
    assert body["messages"] == [{"role": "user", "content": "A or B?"}]
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert json.loads(reply.text)["answer"] in ("A", "B")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (40, 7)
    assert reply.dropped_parameters == ("seed",)


def test_plain_text_is_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer() as server:
        assert ask(server, monkeypatch, Request(messages(("user", "x")))).text == "A"


def test_an_overloaded_server_is_a_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = ChatServer(fault=lambda *_: "529", retry_after="2")
    with busy as server, pytest.raises(RateLimitError) as caught:
        ask(server, monkeypatch)
    assert caught.value.retry_after == 2.0


def test_without_a_key_the_error_names_the_variable() -> None:
    with pytest.raises(AuthenticationError, match="ANTHROPIC_API_KEY"):
        connect(timeout=1)


@in_loop
async def test_it_opens_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        async with Models() as models:
            assert "answer" in (await models.open("anthropic:claude").ask(ASK)).text


BODY = {"model": "claude", "max_tokens": 5, "messages": [{"role": "user", "content": "Hi"}]}


K1, K2 = "ff" * 32, "0b" * 32


def batched(server: ChatServer, monkeypatch: pytest.MonkeyPatch, work: Any) -> Any:
    """What the work on a model that takes batches gives."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    settings = ModelSettings(use_cache=False)
    return use_model(lambda: open_anthropic("claude", Models(settings)), work)


def test_results_come_by_key_and_what_failed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(model: Any) -> tuple[Any, Any]:
        batch = await model.submit([(K1, BODY), (K2, BODY)], "0123456789abcdef")
        return await model.collect(batch), await model.collect(batch)

    with ChatServer() as server:
        server.batch_delay = 1
        server.batch_fault = lambda number, _: "overloaded" if number == 0 else None
        early, late = batched(server, monkeypatch, work)
    assert early is None
    found = {one.key: one for one in late}
    assert isinstance(found[K1].error, ServerError)
    assert "overloaded" in str(found[K1].error)
    assert found[K2].response["content"]


def test_a_batch_that_nobody_noted_cannot_be_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(model: Any) -> Any:
        return model.submitted(Submission("0123456789abcdef", [K1, K2], time.time()))

    with ChatServer() as server, pytest.raises(BadRequestError, match="no tag"):
        batched(server, monkeypatch, work)
