"""How fast a model is asked: places in flight, calls and tokens a minute, pauses and tries.

Concurrency starts at what was asked for, is halved when the server says it is too much
(429, 503, 529), and grows back by one a round of successes. `Retry-After` holds up all
calls to the model. Only errors that another try can help are tried again.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from dataclasses import dataclass
from typing import Protocol

from assize.base.errors import ConfigError, ModelError, RateLimitError
from assize.models.model import Reply, Request
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
            raise ConfigError(
                f"concurrency is {self.concurrency}; it must be at least 1", "concurrency"
            )
        for name in ("requests_per_minute", "tokens_per_minute"):
            rate = getattr(self, name)
            if rate is not None and rate <= 0:
                raise ConfigError(f"{name} is {rate}; it must be above 0")


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
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled() and turn.exception() is None:
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
            turn = self._waiting.popleft()
            if not turn.done():
                self._take()
                turn.set_result(None)

    def close(self) -> None:
        """Lets no one in any more; who waits is told, who is in finishes."""
        self._closed = True
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_exception(Interrupted("the session ends"))

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
    """At most so many units a minute, None for no limit, in bursts of up to six seconds' worth."""

    def __init__(self, per_minute: float | None, clock: Clock) -> None:
        self._seconds_each = 0.0 if per_minute is None else 60 / per_minute
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


class Throttle:
    """Decide when calls to one model go out: calls in flight, rates per minute, pauses, the end.

    Args:
        limits: see `Limits`.
        clock: for tests.
        rng: draws the jitter of the pauses.
    """

    def __init__(
        self, limits: Limits, *, clock: Clock | None = None, rng: random.Random | None = None
    ) -> None:
        self.limits = limits
        self.gate = Gate(limits.concurrency)
        self.clock = RealClock() if clock is None else clock
        self._rng = random.Random() if rng is None else rng  # noqa: S311
        self._requests = Pace(limits.requests_per_minute, self.clock)
        self._tokens = Pace(limits.tokens_per_minute, self.clock)
        self._held_until = 0.0
        self._stopped = asyncio.Event()

    async def enter(self, request: Request) -> int:
        """Wait for a place in flight; return the gate's epoch, for `slow_down`."""
        epoch = await self.gate.enter()
        try:
            while (wait := self._held_until - self.clock.now()) > 0:
                await self.sleep(wait)
            await self.sleep(self._requests.delay(1))
            await self.sleep(self._tokens.delay(_likely_tokens(request)))
        except BaseException:
            self.gate.leave()
            raise
        return epoch

    def leave(self) -> None:
        """Give the place back."""
        self.gate.leave()

    def succeeded(self, request: Request, reply: Reply) -> None:
        """Let more calls in, up to what was asked for, and book the tokens that were used."""
        self.gate.succeeded()
        used = reply.usage.input_tokens + reply.usage.output_tokens
        self._tokens.correct(used - _likely_tokens(request))

    def slow_down(self, error: RateLimitError, epoch: int) -> None:
        """Halve the calls in flight, and hold all calls for as long as the server says."""
        self.gate.overloaded(epoch)
        if error.retry_after is not None:
            wait = min(error.retry_after, self.limits.longest_pause)
            self._held_until = max(self._held_until, self.clock.now() + wait)

    async def pause(self, error: ModelError, tries: int, began: float) -> None:
        """Wait before the next try; raises the error where another try cannot help."""
        seconds = self._seconds(error, tries)
        if isinstance(error, RateLimitError):
            exhausted = self.clock.now() - began + seconds > self.limits.patience
        else:
            exhausted = tries >= self.limits.tries
        if exhausted or not error.retryable:
            raise error
        await self.sleep(seconds)

    def _seconds(self, error: ModelError, tries: int) -> float:
        """What the server says, else doubling; jittered."""
        if isinstance(error, RateLimitError) and error.retry_after is not None:
            return min(error.retry_after, self.limits.longest_pause) * self._rng.uniform(1.0, 1.1)
        seconds = self.limits.first_pause * 2.0 ** min(tries - 1, 20)
        return min(seconds, self.limits.longest_pause) * self._rng.uniform(0.5, 1.0)

    async def sleep(self, seconds: float) -> None:
        """Wait; raises Interrupted as soon as the session ends."""
        if seconds <= 0:
            return
        sleeping = asyncio.ensure_future(self.clock.sleep(seconds))
        stopping = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({sleeping, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            stopping.cancel()
        if self._stopped.is_set():
            raise Interrupted("the session ends")

    def stop(self) -> None:
        """Let no further call out: what waits or would be tried again is interrupted."""
        self._stopped.set()
        self.gate.close()


def _likely_tokens(request: Request) -> float:
    return request.characters / CHARACTERS_PER_TOKEN + request.max_tokens / 4
