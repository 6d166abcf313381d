"""How fast a model is asked: the one place that limits, slows down and tries again.

Concurrency starts at what was asked for, is halved when the server says it is too much
(429, 503, 529), and grows back by one a round of successes. `Retry-After` holds up all
calls to the model. Only errors that another try can help are tried again.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from assize.errors import ConfigError, ModelError, RateLimitError
from assize.models.model import Around, Model, Reply, Request
from assize.models.streaming import Stream, stream
from assize.running import Interrupted

CHARACTERS_PER_TOKEN = 4.0


class Clock(Protocol):
    """Time that a test can turn by hand."""

    def now(self) -> float:
        """Seconds, from any start."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        ...


class RealClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Waits, other tasks going on."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Limits:
    """How hard a model may be asked.

    Args:
        concurrency: calls in flight at the same time.
        requests_per_minute: None for no limit.
        tokens_per_minute: in and out together; None for no limit.
        tries: calls for one answer when the server fails or is too slow.
        patience: seconds for which a call that meets a rate limit is tried again.
        first_pause: seconds before the second try; doubles up to `longest_pause`.
        longest_pause: seconds; also the most that a Retry-After is believed.
    """

    concurrency: int = 20
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    tries: int = 6
    patience: float = 900.0
    first_pause: float = 0.5
    longest_pause: float = 60.0

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise ConfigError(f"concurrency is {self.concurrency}; it must be at least 1")
        for name in ("requests_per_minute", "tokens_per_minute"):
            given = getattr(self, name)
            if given is not None and given <= 0:
                raise ConfigError(f"{name} is {given}; it must be above 0")


class Gate:
    """Lets at most `capacity` calls in, first come first served; half of itself after an
    overload (once for all calls in flight together), from which it recovers."""

    def __init__(self, asked: int) -> None:
        self.asked = asked
        self.capacity = float(asked)
        self.in_flight = 0
        self.peak = 0
        self._epoch = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._closed = False

    async def enter(self) -> int:
        """Waits for a place; returns the epoch, to be handed back to `overloaded`."""
        if self._closed:
            raise Interrupted("the session ends")
        if self.in_flight >= int(self.capacity) or self._waiting:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled() and place.exception() is None:
                    self.leave()
                raise
        else:
            self._take()
        return self._epoch

    def _take(self) -> None:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)

    def leave(self) -> None:
        """Gives the place back."""
        self.in_flight -= 1
        self._admit()

    def _admit(self) -> None:
        while self._waiting and self.in_flight < int(self.capacity):
            place = self._waiting.popleft()
            if not place.done():
                self._take()
                place.set_result(None)

    def close(self) -> None:
        """Lets no one in any more; who waits is told, who is in finishes."""
        self._closed = True
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_exception(Interrupted("the session ends"))

    def overloaded(self, epoch: int) -> None:
        """Halves the capacity, unless a call of the same epoch already did."""
        if epoch == self._epoch:
            self._epoch += 1
            self.capacity = max(1.0, self.capacity / 2)

    def succeeded(self) -> None:
        """Grows the capacity by one a round of successes, up to what was asked."""
        if self.capacity < self.asked:
            self.capacity = min(float(self.asked), self.capacity + 1 / self.capacity)
            self._admit()


class Pace:
    """At most so many units a minute, with bursts of up to six seconds' worth."""

    def __init__(self, per_minute: float, clock: Clock) -> None:
        self._seconds_each = 60 / per_minute
        self._burst = 6.0
        self._clock = clock
        self._next = clock.now() - self._burst

    def delay(self, units: float) -> float:
        """Books `units`; returns the seconds to wait before they may be spent."""
        now = self._clock.now()
        self._next = max(self._next, now - self._burst) + units * self._seconds_each
        return max(0.0, self._next - now)

    def correct(self, units: float) -> None:
        """Books units beyond the estimate, or gives back (negative) what was not needed."""
        self._next += units * self._seconds_each


class Limited(Around):
    """A model that is asked within limits, and again where that can help.

    Args:
        model: what is asked.
        limits: see `Limits`.
        check: raises for a request that need not wait for a place, as with no money left.
        clock: for tests.
        rng: draws the jitter of the pauses.
    """

    def __init__(
        self,
        model: Model,
        limits: Limits,
        *,
        check: Callable[[Request], None] = lambda _: None,
        clock: Clock | None = None,
        rng: random.Random | None = None,
    ) -> None:
        super().__init__(model)
        self.limits = limits
        self._check = check
        self.gate = Gate(limits.concurrency)
        self._clock = RealClock() if clock is None else clock
        self._rng = random.Random() if rng is None else rng  # noqa: S311
        self._requests = _pace(limits.requests_per_minute, self._clock)
        self._tokens = _pace(limits.tokens_per_minute, self._clock)
        self._held_until = 0.0
        self._stopped = asyncio.Event()

    async def ask(self, request: Request) -> Reply:
        """The reply; raises the last error once another try cannot help."""
        began, tries = self._clock.now(), 0
        while True:
            tries += 1
            self._check(request)
            try:
                return await self._try(request)
            except ModelError as error:
                pause = self._pause_or_raise(error, tries, began)
            await self._sleep(pause)

    async def stream(self, request: Request) -> Stream:
        """The pieces and the reply; asked again only as long as no piece was given."""
        began, tries, given = self._clock.now(), 0, False
        while True:
            tries += 1
            self._check(request)
            try:
                async with aclosing(self._try_stream(request)) as parts:
                    async for part in parts:
                        given = True
                        yield part
                return
            except ModelError as error:
                if given:
                    raise
                pause = self._pause_or_raise(error, tries, began)
            await self._sleep(pause)

    def _pause_or_raise(self, error: ModelError, tries: int, began: float) -> float:
        """Seconds before the next try; raises the error where that cannot help."""
        pause = self._pause(error, tries)
        waited = self._clock.now() - began
        if not error.retryable or self._spent(error, tries, waited + pause):
            raise error
        return pause

    async def _sleep(self, seconds: float) -> None:
        """Waits; raises Interrupted as soon as the session ends."""
        if seconds <= 0:
            return
        sleeping = asyncio.ensure_future(self._clock.sleep(seconds))
        stopping = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({sleeping, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            stopping.cancel()
        if self._stopped.is_set():
            raise Interrupted("the session ends")

    def _spent(self, error: ModelError, tries: int, waited: float) -> bool:
        if isinstance(error, RateLimitError):
            return waited > self.limits.patience
        return tries >= self.limits.tries

    def _pause(self, error: ModelError, tries: int) -> float:
        """Seconds before the next try: what the server said, else doubling; jittered."""
        said = error.retry_after if isinstance(error, RateLimitError) else None
        if said is not None:
            return min(said, self.limits.longest_pause) * self._rng.uniform(1.0, 1.1)
        longest = self.limits.first_pause * 2.0 ** min(tries - 1, 20)
        return min(longest, self.limits.longest_pause) * self._rng.uniform(0.5, 1.0)

    async def _try(self, request: Request) -> Reply:
        async with self._place(request) as estimate:
            reply = await self._model.ask(request)
        self._succeeded(reply, estimate)
        return reply

    async def _try_stream(self, request: Request) -> Stream:
        async with self._place(request) as estimate:
            reply = None
            async with aclosing(stream(self._model, request)) as parts:
                async for part in parts:
                    reply = part if isinstance(part, Reply) else None
                    yield part
        if reply is not None:
            self._succeeded(reply, estimate)

    @asynccontextmanager
    async def _place(self, request: Request) -> AsyncIterator[float]:
        """A place among the calls in flight; tells the tokens that were booked."""
        estimate = request.characters / CHARACTERS_PER_TOKEN + request.max_tokens / 4
        epoch = await self._enter(estimate)
        try:
            yield estimate
        except RateLimitError as error:
            self._slow_down(error, epoch)
            raise
        finally:
            self.gate.leave()

    def _succeeded(self, reply: Reply, estimate: float) -> None:
        self.gate.succeeded()
        if self._tokens is not None:
            spent = reply.usage.input_tokens + reply.usage.output_tokens
            self._tokens.correct(spent - estimate)

    async def _enter(self, tokens: float) -> int:
        epoch = await self.gate.enter()
        try:
            while (wait := self._held_until - self._clock.now()) > 0:
                await self._sleep(wait)
            if self._requests is not None:
                await self._sleep(self._requests.delay(1))
            if self._tokens is not None:
                await self._sleep(self._tokens.delay(tokens))
        except BaseException:
            self.gate.leave()
            raise
        return epoch

    def _slow_down(self, error: RateLimitError, epoch: int) -> None:
        self.gate.overloaded(epoch)
        if error.retry_after is not None:
            wait = min(error.retry_after, self.limits.longest_pause)
            self._held_until = max(self._held_until, self._clock.now() + wait)

    def stop(self) -> None:
        """Makes no further call: what waits or would be tried again is interrupted."""
        self._stopped.set()
        self.gate.close()


def _pace(per_minute: float | None, clock: Clock) -> Pace | None:
    return None if per_minute is None else Pace(per_minute, clock)
