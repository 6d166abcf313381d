"""Each provider by its row: a dry run knows its stored answers, and its errors say whose."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from local_server import Handler, serving
from tests.base.loops import in_loop

from assize.base.errors import AuthenticationError, ConfigError
from assize.models import Limits, Models, ModelSettings, Reply, Request, messages
from assize.models.cache import key_of
from assize.models.model import to_text
from assize.models.providers import PROVIDERS, is_local, provider_of
from assize.models.replay import open_replay
from assize.models.scripted import open_scripted
from assize.running import AwaitingBatch

ASK = Request(messages(("user", "Hi")), temperature=None, max_tokens=1)
SECRET = "a-key-without-the-usual-shape"
SERVICES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name == "anthropic" and find_spec("anthropic") is None,
            reason="the extra `anthropic` is not installed",
        ),
    )
    for name, provider in PROVIDERS.items()
    if not provider.local and name != "https"  # which is http with another scheme
]


class Refusing(Handler):
    """Refuses every key, and hands all headers back."""

    def do_POST(self) -> None:
        self.body()
        self.send(f"bad key {self.headers}".encode(), 401, {"content-type": "text/plain"})


def reach(provider: str, url: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ModelSettings]:
    """The name of a provider's model at a local address, and the settings that lead there."""
    for variable in re.findall(r"[A-Z_]+_URL", PROVIDERS[provider].address):
        monkeypatch.setenv(variable, url)
    if PROVIDERS[provider].key:
        monkeypatch.setenv(PROVIDERS[provider].key, SECRET)
    name = url if provider == "http" else f"{provider}:m"
    return name, ModelSettings(base_url=url, limits=Limits(first_pause=0.0))


def test_every_provider_can_be_imported() -> None:
    for provider in PROVIDERS.values():
        module, _, attribute = provider.opener.partition(":")
        assert callable(getattr(import_module(module), attribute))


def test_recordings_and_scripts_are_models_too(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text("")
    assert open_replay(str(tape), Models()).name == f"replay:{tape}"
    assert open_scripted("any", Models()).name == "scripted:any"


def test_a_service_has_an_address_and_a_local_provider_neither_address_nor_key() -> None:
    for name, provider in PROVIDERS.items():
        assert is_local(f"{name}:m") is not bool(provider.address)
        assert not (provider.local and provider.key)


def test_a_provider_of_an_installed_package_counts_as_a_service() -> None:
    assert not is_local("of-a-package:m")
    assert provider_of("of-a-package:m").stored


@pytest.mark.parametrize("provider", SERVICES)
@in_loop
async def test_a_dry_run_knows_the_stored_answers_of_every_service(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, settings = reach(provider, "http://127.0.0.1:9", monkeypatch)
    async with Models(settings) as models:
        identity = models.open(name).identity
        models.cache.put_now([(key_of(identity, ASK), to_text(Reply("yes")))])
    async with Models(ModelSettings(base_url=settings.base_url, dry=True)) as models:
        await models.open(name).ask(ASK)
        (dry,) = models.estimates.values()
        assert (dry.estimate.calls, dry.estimate.cached) == (0, 1)


@pytest.mark.parametrize("provider", SERVICES)
def test_a_refused_key_names_model_address_and_variable_and_is_not_shown(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(url: str) -> str:
        name, settings = reach(provider, url, monkeypatch)
        async with Models(settings) as models:
            with pytest.raises(AuthenticationError) as caught:
                await models.open(name).ask(ASK)
        return str(caught.value)

    with serving(Refusing) as url:
        said = asyncio.run(ask(url))
    assert said.startswith(url if provider == "http" else f"{provider}:m")
    assert f"(401 from {url}" in said
    assert said.endswith(PROVIDERS[provider].key)
    assert SECRET not in said
    assert "bad key" in said


@in_loop
async def test_a_key_refused_for_a_batch_is_named_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Refusing) as url:
        name, settings = reach("openai", url, monkeypatch)
        async with Models(replace(settings, batch=tmp_path)) as models:
            with pytest.raises(AwaitingBatch):
                await models.open(name).ask(ASK)
            with pytest.raises(AuthenticationError, match=r"^openai:m: .*OPENAI_API_KEY$"):
                await models.submit()


@pytest.mark.parametrize("provider", SERVICES)
def test_a_server_that_cannot_be_reached_says_where_its_address_is_given(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        name, settings = reach(provider, "http://127.0.0.1:9", monkeypatch)
        async with Models(settings) as models:
            await models.open(name).ask(ASK)

    address = PROVIDERS[provider].address
    with pytest.raises(ConfigError, match=rf"127\.0\.0\.1:9.*address\? \({address}\)$"):
        asyncio.run(ask())
