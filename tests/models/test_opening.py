"""Opening models by name."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from chat_server import ChatServer

from assize.base.errors import ConfigError
from assize.models import PROVIDERS, Models, ModelSettings, Request, messages


def test_every_provider_can_be_imported() -> None:
    from importlib import import_module

    for place in PROVIDERS.values():
        module, _, attribute = place.partition(":")
        assert callable(getattr(import_module(module), attribute))


@pytest.mark.parametrize("name", ["gpt-4o", "other:model", "openai:", ""])
def test_an_unknown_model_lists_the_providers(name: str) -> None:
    with pytest.raises(ConfigError, match="openai:"):
        Models().open(name)


def test_models_of_one_endpoint_share_one_client_and_a_name_is_opened_once() -> None:
    async def run() -> tuple[bool, bool]:
        async with Models(ModelSettings(base_url="http://127.0.0.1:9/v1", use_cache=False)) as all:
            first, second = all.open("openai:a"), all.open("openai:b")
            clients = {id(client.model.client) for client in all.clients.values()}  # type: ignore[attr-defined]
            return len(clients) == 1, first is all.open("openai:a") and first is not second

    assert asyncio.run(run()) == (True, True)


def test_no_connection_is_made_but_to_the_given_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    seen: list[object] = []
    connect = socket.socket.connect

    def watched(self: socket.socket, address: object) -> None:
        seen.append(address)
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", watched)

    async def run(url: str) -> None:
        async with Models(ModelSettings(base_url=url)) as models:
            await models.open("openai:tiny").ask(Request(messages(("user", "Hi"))))

    with ChatServer() as server:
        asyncio.run(run(server.url))
        inet = {address for address in seen if isinstance(address, tuple)}
        assert inet == {("127.0.0.1", server.port)}
