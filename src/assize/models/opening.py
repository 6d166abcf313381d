"""From `provider:name` to the client of a session.

Models opened together share one connection an endpoint, one cache and one budget.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Annotated, TypeVar, cast

from assize.base.arguments import did_you_mean
from assize.base.endpoints import address, explain_key
from assize.base.errors import AuthenticationError, ConfigError
from assize.base.plugins import Group, Plugin, each, plugins
from assize.models.batch import BatchQueue
from assize.models.batch_model import BatchModel
from assize.models.cache import Cache
from assize.models.client import Client
from assize.models.estimating import DryRunModel
from assize.models.limits import Limits, Throttle
from assize.models.model import Capability, Model
from assize.models.providers import PROVIDERS, provider_of
from assize.models.replay import Recorder
from assize.models.spending import Prices, read_prices
from assize.results.numbers import counted
from assize.running import Budget
from assize.running.command import ChangesNumbers

Note = Callable[[str], None]
T = TypeVar("T")

GROUP: Group = "assize.models"  # entry points by which installed packages add providers


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How models are reached.

    Args:
        base_url: of the endpoint; None for the provider's own.
        timeout: seconds to wait for one call.
        limits: of each model.
        max_cost: US dollars for everything; None for no limit.
        prices: a price file over the shipped one.
        cache: None for the usual place.
        use_cache: False asks for everything anew and stores nothing.
        record: a file to which every answer is appended, for `replay:`.
        batch: a folder for the requests and batches of `--batch`; None calls at once.
        dry: make no call, count what they would be (`Models.estimates`).
        dry_logprobs: whether answers carry log-probabilities in a dry run; an endpoint that is
            known to refuse them gives none anyway.
    """

    base_url: Annotated[str | None, ChangesNumbers("endpoint", address)] = None
    timeout: float = 120.0
    limits: Limits = field(default_factory=Limits)
    max_cost: float | None = None
    prices: Path | None = None
    cache: Path | None = None
    use_cache: bool = True
    record: Path | None = None
    batch: Path | None = None
    dry: bool = False
    dry_logprobs: bool = True


class Models:
    """The models of one session; use as `async with`.

    Args:
        settings: see `ModelSettings`.
        note: told what the user should know, at the end how many calls were made again.
    """

    def __init__(
        self,
        settings: ModelSettings | None = None,
        *,
        note: Note = lambda _: None,
    ) -> None:
        self.settings = ModelSettings() if settings is None else settings
        self.budget = Budget(self.settings.max_cost)
        self.clients: dict[str, Client] = {}
        self.estimates: dict[str, DryRunModel] = {}
        self._note = note
        self._shared: dict[object, object] = {}
        self._closing = AsyncExitStack()

    def open(self, name: str) -> Model:
        """The model of that name, the same one each time; raises ConfigError if unknown."""
        if name in self.clients:
            return self.clients[name]
        if name in self.estimates:
            return self.estimates[name]
        provider, colon, rest = name.partition(":")
        known = dict.fromkeys(PROVIDERS)
        if provider not in known:
            known |= dict.fromkeys(plugins(GROUP))
        if not colon or not rest or provider not in known:
            listed = ", ".join(f"{provider}:..." for provider in known)
            near = did_you_mean(provider, known) if colon and provider not in known else ""
            raise ConfigError(f"no model {name!r}; {near}write provider:name, one of {listed}")
        if self.settings.dry:
            self.estimates[name] = self._open_dry(name)
            return self.estimates[name]
        self.clients[name] = self._open_client(name)
        return self.clients[name]

    def _open_client(self, name: str) -> Client:
        """The client of a provider's model."""
        provider, model = provider_of(name), self._open_provider(name)
        price, batch = self.prices.of(name), None
        cached = self.settings.use_cache and provider.stored
        if self.settings.batch is not None and provider.batches:
            cached = True  # collected answers come through it
            folder = self.settings.batch / name.replace(":", "-").replace("/", "-")
            batch = BatchQueue(folder, cast(BatchModel, model), self.cache, price, self.budget)
            self._closing.callback(batch.close)
        return Client(
            model,
            Throttle(self.settings.limits),
            cache=self.cache if cached else None,
            price=price,
            budget=self.budget,
            batch=batch,
            recorder=self.recorder,
            note=self._note,
        )

    def _open_provider(self, name: str) -> Model:
        provider, _, rest = name.partition(":")
        if provider in PROVIDERS:
            module, _, attribute = PROVIDERS[provider].opener.partition(":")
            opener = getattr(import_module(module), attribute)
        else:
            opener = _opener(plugins(GROUP)[provider])
        model: Model = opener(rest, self)
        self._closing.push_async_callback(model.aclose)
        return model

    def _open_dry(self, name: str) -> DryRunModel:
        """A stand-in that makes no call; it knows the cache where that needs no loading."""
        identity, logprobs, provider = name, self.settings.dry_logprobs, provider_of(name)
        capabilities = frozenset[Capability]({"logprobs"} if provider.logprobs else ())
        if not provider.local:
            with suppress(AuthenticationError):
                model = self._open_provider(name)
                identity, capabilities = model.identity, model.capabilities
                logprobs = logprobs and "logprobs" not in getattr(model, "known", ())
        used, price = self.settings.use_cache, self.prices.of(name)
        cache = self.cache if used else None
        return DryRunModel(name, identity, capabilities, price, cache, logprobs, once=used)

    @property
    def _batches(self) -> list[BatchQueue]:
        return [client.batch for client in self.clients.values() if client.batch is not None]

    async def collect(self) -> None:
        """Fetch what batches have answered since; what was never submitted is unbooked."""
        for batch in self._batches:
            with explain_key(batch.model.name, provider_of(batch.model.name).key):
                await batch.collect(self._note)
        if self._batches:
            held = set[str]().union(*(batch.held for batch in self._batches))
            for call in set(self.budget.batches) - held:
                self.budget.settle(call, 0.0)

    async def submit(self) -> int:
        """Submit what is queued; return the answers that are waited for in all."""
        for batch in self._batches:
            with explain_key(batch.model.name, provider_of(batch.model.name).key):
                submitted = await batch.submit()
            if submitted:
                self._note(f"{submitted} requests to {batch.model.name} submitted in a batch")
        return sum(batch.waiting for batch in self._batches)

    def shared(self, key: object, make: Callable[[], T]) -> T:
        """The one object of that key, such as the connection to an endpoint."""
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]  # type: ignore[return-value]

    def stop(self) -> None:
        """Makes no further call; those in flight are finished."""
        for client in self.clients.values():
            client.stop()
        self.budget.stop()

    def facts(self, model: str) -> frozenset[str]:
        """What earlier sessions learnt about a model."""
        return self.cache.facts(model) if self.settings.use_cache else frozenset()

    def learn(self, model: str, fact: str) -> None:
        """Remembers a fact about a model, for this and later sessions."""
        self._note(f"{model} refuses {fact}; going on without it")
        if self.settings.use_cache:
            self.cache.learn(model, fact)

    @cached_property
    def cache(self) -> Cache:
        """The response cache, opened when first needed."""
        cache = Cache(self.settings.cache, note=self._note)
        self._closing.callback(cache.close)
        return cache

    @cached_property
    def prices(self) -> Prices:
        """What models cost."""
        return read_prices(self.settings.prices)

    @cached_property
    def recorder(self) -> Recorder | None:
        """Where answers are recorded, None where they are not."""
        if self.settings.record is None:
            return None
        recorder = Recorder(self.settings.record)
        self._closing.callback(recorder.close)
        return recorder

    async def __aenter__(self) -> Models:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._closing.aclose()
        retries = sum(client.retries for client in self.clients.values())
        if retries:
            self._note(f"{counted(retries, 'call')} failed and had to be made again")


def known_providers(note: Note = lambda _: None) -> tuple[str, ...]:
    """Names of all providers, those of installed packages last; `note` hears of broken ones."""
    return (*PROVIDERS, *(name for name, _ in each(GROUP, PROVIDERS, _opener, note)))


def _opener(plugin: Plugin) -> Callable[[str, Models], Model]:
    """The function of a plugin that opens `provider:name`."""
    opener: Callable[[str, Models], Model] = plugin.load()
    if not callable(opener):
        raise plugin.broken(f"received {opener!r:.60}; expected a function (name, models) -> model")
    return opener
