"""Opening models by name."""

from __future__ import annotations

import asyncio

import pytest

from assize.base.errors import ConfigError
from assize.models import PROVIDERS, Models, ModelSettings


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
