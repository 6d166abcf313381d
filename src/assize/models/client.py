"""A provider's model as a session asks it: each answer is asked for once, in time, and paid for.

    stored? ──► asked by someone else? ──► a place and money? ──► provider ──► booked ──► stored
       │              │ wait, look                ▲                  │ fails        │
       │              ▼                           └── pause, again ◄─┘              │
       └──────────► reply ◄─────────────────────────────────────────────────────────┘

A call keeps its place among those in flight until its answer is stored, so a kill never loses more
answers than calls may be in flight. A question that another process is asking waits outside: it
takes no place from other calls, and no money is set aside for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from assize.base.endpoints import explain_key
from assize.base.errors import (
    ConfigError,
    ModelError,
    NotFoundError,
    RateLimitError,
    UnreachableError,
)
from assize.models.batch import BatchQueue
from assize.models.cache import Cache, key_of
from assize.models.limits import Limits, Throttle
from assize.models.model import (
    Capability,
    Model,
    Reply,
    Request,
    Stream,
    in_one_piece,
    stream,
    to_text,
)
from assize.models.providers import provider_of
from assize.models.replay import Recorder
from assize.models.spending import FREE, Price, cost_of, most, own_price_file
from assize.running import AwaitingBatch, Budget

Note = Callable[[str], None]

_FIRST_LOOK, _LONGEST_LOOK = 0.01, 0.25  # seconds between looks at another's claim
_NOTED_AFTER = 30.0  # seconds of waiting
TRIES_TO_REACH = 3  # calls for one answer to a server that has never been reached


class Client:
    """A model with what a session puts between itself and the provider.

    Args:
        model: the provider's.
        throttle: when calls go out; without limits of one's own, those of `Limits()`.
        cache: where answers are kept; None asks for everything anew and stores nothing.
        price: None where it is not known.
        budget: what calls are paid from; None for one without a limit.
        batch: where calls wait for a batch, instead of going out; it needs the cache.
        recorder: where every reply is written, also one from the cache.
        note: told, once each, that another process lets this one wait, that the server cannot
            be reached, and that a limit of money does not limit a model whose price is 0.

    Raises:
        ConfigError: there is a limit of money, but no price for the model.
    """

    def __init__(
        self,
        model: Model,
        throttle: Throttle | None = None,
        *,
        cache: Cache | None = None,
        price: Price | None = None,
        budget: Budget | None = None,
        batch: BatchQueue | None = None,
        recorder: Recorder | None = None,
        note: Note = lambda _: None,
    ) -> None:
        self.model = model
        self._provider = provider_of(model.name)
        self.throttle = Throttle(Limits()) if throttle is None else throttle
        self.batch = batch
        self._cache = cache
        self._price = price
        self._budget = Budget() if budget is None else budget
        self._recorder = recorder
        self._note = note
        self._noted: set[str] = set()
        self._reached = False  # whether the server has said anything at all
        self._answered = False  # whether it has answered a call
        self.retries = 0  # calls that failed and were made again
        self._in_flight: dict[bytes, asyncio.Future[Reply]] = {}
        if price is None and self._budget.allowed is not None:
            raise ConfigError(
                f"--max-cost needs the price of {model.name}, which is not known; add it to"
                f' {own_price_file()}: "{model.name}" = {{ input = ..., output = ... }}, in US'
                " dollars per million tokens"
            )
        if price == FREE and self._budget.allowed is not None and not self._provider.local:
            self._note_once(f"the price of {model.name} is 0, so --max-cost does not limit it")

    @property
    def name(self) -> str:
        """As of the model."""
        return self.model.name

    @property
    def identity(self) -> str:
        """As of the model."""
        return self.model.identity

    @property
    def capabilities(self) -> frozenset[Capability]:
        """As of the model."""
        return self.model.capabilities

    async def ask(self, request: Request) -> Reply:
        """The stored answer at no cost, else a new one with its price, stored.

        Equal requests that are in flight at the same time share one call, also over processes;
        where another process ends or fails, its question is asked here. A refusal is an answer
        and is stored; an error is not.

        Raises:
            ModelError: there is no answer, and another try cannot help.
            ConfigError: the server could not be reached, neither now nor before; or it has nothing
                at this address, and has answered no call.
            BudgetError: there is no money for the call.
            Interrupted: the session ends.
            AwaitingBatch: a later session has the answer.
        """
        if self._cache is None:
            reply = await self._ask_anew(request, None)
        else:
            key = key_of(self.model.identity, request)
            stored = self._cache.reply(key, free=True)
            reply = await self._ask_once(request, key, self._cache) if stored is None else stored
            if self.batch is not None:
                reply = self.batch.charge(key.hex(), reply)
        if self._recorder is not None and request.call_id is not None:
            self._recorder.write(request.call_id, reply)
        return reply

    async def _ask_once(self, request: Request, key: bytes, cache: Cache) -> Reply:
        """The answer of the one call that all have who ask this at the same time."""
        if key in self._in_flight:
            reply = await asyncio.shield(self._in_flight[key])
            return replace(reply, usage=replace(reply.usage, cost_usd=0.0, cached=True))
        shared: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._in_flight[key] = shared
        try:
            if not cache.claims.take(key):
                await self._wait_for_claim(key, cache)
            try:
                stored = cache.reply(key, free=True)  # by the process that asked before
                reply = await self._ask_anew(request, key) if stored is None else stored
            finally:
                cache.claims.release(key)
        except BaseException as error:
            if isinstance(error, Exception):
                shared.set_exception(error)
                shared.exception()  # seen here; whoever shares the call sees it too
            else:
                shared.cancel()
            raise
        finally:
            del self._in_flight[key]
        shared.set_result(reply)
        return reply

    async def _wait_for_claim(self, key: bytes, cache: Cache) -> None:
        """Wait until no other process asks this question."""
        pause, waited = _FIRST_LOOK, 0.0
        while True:
            if waited > _NOTED_AFTER:
                self._note_once("waiting for answers that another process is asking for")
            await self.throttle.sleep(pause)
            if cache.claims.take(key):
                return
            waited += pause
            pause = min(1.5 * pause, _LONGEST_LOOK)

    async def _ask_anew(self, request: Request, key: bytes | None) -> Reply:
        """Ask the provider, again where that can help, and store the answer."""
        if self.batch is not None and key is not None:
            self.batch.add(key.hex(), request)
            raise AwaitingBatch(f"{self.name} answers in a batch")
        bound = self._bound(request)
        began, tries = self.throttle.clock.now(), 0
        while True:
            tries += 1
            self._budget.check(bound)
            try:
                async with self._admit(request, bound) as call:
                    reply = self._settle(call, request, await self.model.ask(request))
                    if self._cache is not None and key is not None:
                        await self._cache.put(key, to_text(reply))
                    return reply
            except ModelError as error:
                self._check_reached(error, tries)
                await self.throttle.pause(error, tries, began)
                self.retries += 1

    def _check_reached(self, error: ModelError, tries: int) -> None:
        """Say at once that a server cannot be reached; where it never was, end the session soon.

        Raises:
            ConfigError: this was the last try for a server that has never been reached, or the
                server does not know the address or the model, and has answered no call.
        """
        if isinstance(error, NotFoundError) and not self._answered:
            raise ConfigError(
                f"{error}; check the model's name and the address{self._address_source}"
            ) from error
        if not isinstance(error, UnreachableError):
            self._reached = True
            return
        self._note_once(f"{error}; trying again", "unreachable")
        if not self._reached and tries >= TRIES_TO_REACH:
            raise ConfigError(
                f"{error}; is the server running, and is this its address?{self._address_source}"
            ) from error

    @property
    def _address_source(self) -> str:
        return f" ({self._provider.address})" if self._provider.address else ""

    def _note_once(self, text: str, kind: str | None = None) -> None:
        kind = text if kind is None else kind
        if kind not in self._noted:
            self._noted.add(kind)
            self._note(text)

    async def stream(self, request: Request) -> Stream:
        """Pieces of the answer as they come, and then the reply with its price.

        What holds for whole replies holds here: a call keeps its place and its money until the
        last piece; but once a piece was given nothing is asked again. With a cache, a batch or a
        recorder the reply comes in one piece.

        Raises:
            ModelError: there is no answer, or it broke off; pieces before it stand.
        """
        if self._cache is not None or self._recorder is not None:
            async for part in in_one_piece(await self.ask(request)):
                yield part
            return
        bound = self._bound(request)
        began, tries, started = self.throttle.clock.now(), 0, False
        while True:
            tries += 1
            self._budget.check(bound)
            try:
                async with (
                    self._admit(request, bound) as call,
                    aclosing(stream(self.model, request)) as parts,
                ):
                    async for part in parts:
                        started = True
                        if isinstance(part, Reply):
                            part = self._settle(call, request, part)
                        yield part
                    return
            except ModelError as error:
                if started:
                    raise
                await self.throttle.pause(error, tries, began)

    def _bound(self, request: Request) -> float:
        """US dollars that a call does not exceed; 0 where no price is known."""
        return 0.0 if self._price is None else most(self._price, request)

    @asynccontextmanager
    async def _admit(self, request: Request, bound: float) -> AsyncIterator[str]:
        """A place among the calls in flight and money for a call, named by the budget.

        A call that the server turned down costs nothing. One that was too slow, was given up, or
        broke off may have been charged: what is not settled inside stays booked at its bound.
        """
        epoch = await self.throttle.enter(request)
        try:
            call = await self._budget.reserve(bound)
            try:
                with explain_key(self.name, self._provider.key):
                    yield call
            except ModelError as error:
                self._budget.settle(call, None if error.may_cost else 0.0)
                raise
            finally:
                self._budget.settle(call, None)  # nothing, where it is settled
        except RateLimitError as error:
            self.throttle.slow_down(error, epoch)
            raise
        finally:
            self.throttle.leave()

    def _settle(self, call: str, request: Request, reply: Reply) -> Reply:
        """Book what the reply cost; return it with its price, where one is known."""
        self._reached = self._answered = True
        self.throttle.succeeded(request, reply)
        if self._price is None:
            return reply
        cost = cost_of(self._price, request, reply)
        self._budget.settle(call, cost)
        return replace(reply, usage=replace(reply.usage, cost_usd=cost))

    def stop(self) -> None:
        """Make no further call; those in flight are finished."""
        self.throttle.stop()

    async def aclose(self) -> None:
        """Close the model; cache, budget and recorder belong to whoever opened them."""
        await self.model.aclose()
