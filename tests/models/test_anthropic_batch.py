"""Anthropic's message batches."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from chat_server import ChatServer

from assize.errors import ServerError
from assize.models import Models, ModelSettings
from assize.models.providers import open_anthropic

BODY = {"model": "claude", "max_tokens": 5, "messages": [{"role": "user", "content": "Hi"}]}


def test_results_come_by_key_and_what_failed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")

    async def run() -> tuple[Any, Any]:
        model: Any = open_anthropic("claude", Models(ModelSettings(use_cache=False)))
        try:
            batch = await model.submit([("k1", BODY), ("k2", BODY)])
            return await model.collect(batch), await model.collect(batch)
        finally:
            await model.aclose()

    with ChatServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        server.batch_delay = 1
        server.batch_fault = lambda number, _: "overloaded" if number == 0 else None
        early, late = asyncio.run(run())
    assert early is None
    found = {one.key: one for one in late}
    assert isinstance(found["k1"].error, ServerError)
    assert "overloaded" in str(found["k1"].error)
    assert found["k2"].response["content"]
