"""From `provider:name` to a model that is cached, paid for, limited and tried again.

    Recorded( Cached( Limited( Stored( Booked( provider )))))

A call has its place among those in flight until it is booked and its answer stored. Models
opened together share one client an endpoint, one cache and one budget.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TypeVar, cast

from assize.errors import AuthenticationError, ConfigError
from assize.models.batch import Deferred, Desk, Settled
from assize.models.batch_model import BatchModel
from assize.models.cache import Cache
from assize.models.cached import Cached, Stored
from assize.models.estimating import Estimating
from assize.models.limits import Limited, Limits
from assize.models.model import Gift, Model
from assize.models.replay import Recorded, Recorder
from assize.models.spending import Booked, Prices, checked_price, read_prices
from assize.plugins import Group, Plugin, each, plugins
from assize.running import Budget

Note = Callable[[str], None]
T = TypeVar("T")

GROUP: Group = "assize.models"  # entry points by which installed packages add providers
# To add a provider: copy the smallest file beside this one, add its row, mirror its test.
PROVIDERS: dict[str, str] = {
    "anthropic": "assize.models.providers:open_anthropic",
    "hf": "assize.models.providers:open_hf",
    "hf-reward": "assize.models.reward_hf:open_hf_reward",
    "hf-scores": "assize.models.reward_hf:open_hf_scores",
    "http": "assize.models.reward_http:open_http",
    "https": "assize.models.reward_http:open_https",
    "openai": "assize.models.providers:open_openai",
    "replay": "assize.models.providers:open_replay",
    "scripted": "assize.models.providers:open_scripted",
}
BATCHES = ("openai", "anthropic")
_NOT_CACHED = ("replay", "scripted")
_REMOTE = ("openai:", "anthropic:")
_GIVES: dict[str, frozenset[Gift]] = {  # without asking: what a dry run goes by
    "hf": frozenset({"logprobs"}),
    "openai": frozenset({"logprobs"}),
}


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How models are reached.

    Args:
        base_url: of the endpoint; None for the provider's own.
        timeout: seconds for one call.
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

    base_url: str | None = None
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
        note: told what the user should know.
    """

    def __init__(
        self,
        settings: ModelSettings | None = None,
        *,
        note: Note = lambda _: None,
    ) -> None:
        self.settings = ModelSettings() if settings is None else settings
        self.budget = Budget(self.settings.max_cost)
        self.limited: dict[str, Limited] = {}
        self.cached: list[Cached] = []
        self.desks: dict[str, Desk] = {}
        self.estimates: dict[str, Estimating] = {}
        self._note = note
        self._open: dict[str, Model] = {}
        self._shared: dict[object, object] = {}
        self._prices: Prices | None = None
        self._cache: Cache | None = None
        self._recorder: Recorder | None = None
        self._closing = AsyncExitStack()

    def open(self, name: str) -> Model:
        """The model of that name, the same one each time; raises ConfigError if unknown."""
        if name not in self._open:
            self._open[name] = self._opened(name)
        return self._open[name]

    def _opened(self, name: str) -> Model:
        provider, colon, rest = name.partition(":")
        known = dict.fromkeys(PROVIDERS)
        if provider not in known:
            known |= dict.fromkeys(plugins(GROUP))
        if not colon or not rest or provider not in known:
            listed = ", ".join(f"{one}:..." for one in known)
            raise ConfigError(f"no model {name!r}; write provider:name, one of {listed}")
        if self.settings.dry:
            return self._estimating(name)
        bare = self._bare(name)
        self._closing.push_async_callback(bare.aclose)
        if self.settings.batch is not None and provider in BATCHES:
            return self._deferred(name, bare, self.settings.batch)
        booked = Booked(bare, self.prices.of(name), self.budget)
        cached = self.settings.use_cache and provider not in _NOT_CACHED
        safe: Model = Stored(booked, self.cache, self._note) if cached else booked
        limited = Limited(safe, self.settings.limits, check=booked.check)
        self.limited[name] = limited
        model: Model = self._cached(limited) if cached else limited
        return model if self.recorder is None else Recorded(model, self.recorder)

    def _deferred(self, name: str, bare: Model, folder: Path) -> Model:
        """The model whose calls wait for a batch."""
        place = folder / name.replace(":", "-").replace("/", "-")
        price = checked_price(name, self.prices.of(name), self.budget)
        desk = Desk(place, cast(BatchModel, bare), self.cache, price, self.budget)
        self.desks[name] = desk
        self._closing.callback(desk.close)
        model: Model = Settled(self._cached(Deferred(desk)), desk)
        return model if self.recorder is None else Recorded(model, self.recorder)

    def _cached(self, model: Model) -> Cached:
        self.cached.append(Cached(model, self.cache, self._note))
        return self.cached[-1]

    async def collect(self) -> None:
        """Fetches what batches have answered since; what was never submitted is unbooked."""
        for desk in self.desks.values():
            await desk.collect(self._note)
        if self.desks:
            held = set[str]().union(*(desk.held for desk in self.desks.values()))
            for call in set(self.budget.batches) - held:
                self.budget.settle(call, 0.0)

    async def submit(self) -> int:
        """Submits what was put by; returns the answers that are waited for in all."""
        for desk in self.desks.values():
            sent = await desk.submit()
            if sent:
                self._note(f"{sent} requests to {desk.model.name} submitted in a batch")
        return sum(desk.waiting for desk in self.desks.values())

    def _bare(self, name: str) -> Model:
        provider, _, rest = name.partition(":")
        if provider not in PROVIDERS:
            return _opener(plugins(GROUP)[provider])(rest, self)
        module, _, attribute = PROVIDERS[provider].partition(":")
        bare: Model = getattr(import_module(module), attribute)(rest, self)
        return bare

    def _estimating(self, name: str) -> Model:
        """A stand-in that makes no call; it knows the cache where that needs no loading."""
        identity, gives = name, _GIVES.get(name.partition(":")[0], frozenset[Gift]())
        logprobs = self.settings.dry_logprobs
        if name.startswith(_REMOTE):
            with suppress(AuthenticationError):
                bare = self._bare(name)
                identity, gives = bare.identity, bare.gives
                logprobs = logprobs and "logprobs" not in getattr(bare, "known", ())
        used = self.settings.use_cache
        cache = self.cache if used else None
        model = Estimating(name, identity, gives, self.prices.of(name), cache, logprobs, once=used)
        self.estimates[name] = model
        return model

    def shared(self, key: object, make: Callable[[], T]) -> T:
        """The one object of that key, such as the client of an endpoint."""
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]  # type: ignore[return-value]

    def stop(self) -> None:
        """Makes no further call; those in flight are finished."""
        for limited in self.limited.values():
            limited.stop()
        for cached in self.cached:
            cached.stop()
        self.budget.stop()

    def learnt(self, model: str) -> frozenset[str]:
        """What earlier sessions learnt about a model."""
        return self.cache.learnt(model) if self.settings.use_cache else frozenset()

    def learn(self, model: str, fact: str) -> None:
        """Remembers a fact about a model, for this and later sessions."""
        self._note(f"{model} refuses {fact}; going on without it")
        if self.settings.use_cache:
            self.cache.learn(model, fact)

    @property
    def cache(self) -> Cache:
        """The response cache, opened when first needed."""
        if self._cache is None:
            self._cache = Cache(self.settings.cache, note=self._note)
            self._closing.callback(self._cache.close)
        return self._cache

    @property
    def prices(self) -> Prices:
        """What models cost."""
        if self._prices is None:
            self._prices = read_prices(self.settings.prices)
        return self._prices

    @property
    def recorder(self) -> Recorder | None:
        """Where answers are recorded, None where they are not."""
        if self._recorder is None and self.settings.record is not None:
            self._recorder = Recorder(self.settings.record)
            self._closing.callback(self._recorder.close)
        return self._recorder

    async def __aenter__(self) -> Models:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._closing.aclose()


def known_providers(note: Note = lambda _: None) -> tuple[str, ...]:
    """Names of all providers, those of installed packages last; `note` hears of broken ones."""
    return (*PROVIDERS, *(name for name, _ in each(GROUP, PROVIDERS, _opener, note)))


def _opener(plugin: Plugin) -> Callable[[str, Models], Model]:
    """The function of a plugin that opens `provider:name`."""
    found = plugin.load()
    if not callable(found):
        raise plugin.broken(f"received {found!r:.60}; expected a function (name, models) -> model")
    opener: Callable[[str, Models], Model] = found
    return opener
