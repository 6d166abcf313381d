"""Opening models by name."""

from __future__ import annotations

import pytest
from tests.base.loops import in_loop
from tests.models.conftest import answering

from assize.base.errors import ConfigError, ServerError
from assize.models import (
    Client,
    Limits,
    Models,
    ModelSettings,
    Request,
    Scripted,
    Throttle,
    messages,
)


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


@in_loop
@pytest.mark.parametrize(
    ("failures", "notes"), [(0, []), (2, ["2 calls failed and had to be made again"])]
)
async def test_calls_that_were_made_again_are_told_at_the_end(
    failures: int, notes: list[str]
) -> None:
    received: list[str] = []
    script = answering([], *[ServerError("down")] * failures)
    async with Models(note=received.append) as models:
        client = Client(Scripted(script), Throttle(Limits(first_pause=0.0)))
        models.clients["scripted:function"] = client
        assert (await client.ask(Request(messages(("user", "Hi"))))).text == "yes"
    assert received == notes
