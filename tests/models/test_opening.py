"""Opening models by name."""

from __future__ import annotations

import pytest
from tests.base.loops import in_loop

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


@in_loop
async def test_models_of_one_endpoint_share_one_client_and_a_name_is_opened_once() -> None:
    async with Models(ModelSettings(base_url="http://127.0.0.1:9/v1", use_cache=False)) as models:
        first, second = models.open("openai:a"), models.open("openai:b")
        clients = {id(client.model.client) for client in models.clients.values()}  # type: ignore[attr-defined]
        assert len(clients) == 1
        assert first is models.open("openai:a")
        assert first is not second
