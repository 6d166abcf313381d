"""Limits with an injected clock: capacity, pauses, retries, pace."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.base.loops import in_loop
from tests.models.conftest import answering

from assize.base.errors import BadRequestError, ConfigError, ModelError, RateLimitError, ServerError
from assize.base.judgment import Usage
from assize.models import Client, Limits, Reply, Request, Scripted, Throttle, messages
from assize.models.limits import Gate, Pace
from assize.running import Interrupted

ASK = Request(messages(("user", "Hi")), max_tokens=4)


class HandClock:
    """Time passes only when every task waits for it."""

    def __init__(self) -> None:
        self.time = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (self.time + seconds, self._count, future))
        await future

    async def run(self, task: asyncio.Future[Any]) -> None:
        while not task.done():
            for _ in range(20):
                await asyncio.sleep(0)
            if self._sleepers and not task.done():
                self.time, _, future = heapq.heappop(self._sleepers)
                future.set_result(None)


@in_loop
async def timed(
    script: Callable[[HandClock], Callable[[Request], object]], limits: Limits, calls: int = 1
) -> tuple[HandClock, Client, list[object]]:
    clock = HandClock()
    model = Client(
        Scripted(script(clock)),  # type: ignore[arg-type]
        Throttle(limits, clock=clock, rng=random.Random(0)),
    )
    work = asyncio.gather(*(model.ask(ASK) for _ in range(calls)), return_exceptions=True)
    await clock.run(work)
    return clock, model, list(work.result())


def failing(*failures: ModelError) -> Callable[[HandClock], Callable[[Request], object]]:
    """A script that fails so often, then answers."""
    return lambda _: answering([], *failures)


@pytest.mark.parametrize("asked", [1, 20, 64])
def test_as_many_calls_are_in_flight_as_were_asked_for(asked: int) -> None:
    def make(clock: HandClock) -> Callable[[Request], object]:
        async def script(_: Request) -> str:
            await clock.sleep(1)
            return "yes"

        return script

    _, model, _ = timed(make, Limits(asked), calls=200)
    assert model.throttle.gate.peak == asked


@in_loop
async def test_a_rate_limit_halves_the_capacity_once_and_successes_win_it_back() -> None:
    gate = Gate(8)
    epochs = [await gate.enter() for _ in range(8)]
    for epoch in epochs:
        gate.overloaded(epoch)  # eight refusals of one round
    assert gate.capacity == 4.0
    gate.overloaded(gate._epoch)
    assert gate.capacity == 2.0
    for _ in range(100):
        gate.succeeded()
    assert gate.capacity == 8.0


def test_capacity_never_falls_below_one() -> None:
    gate = Gate(1)
    gate.overloaded(0)
    assert gate.capacity == 1.0


@in_loop
async def test_a_place_given_to_a_cancelled_waiter_is_passed_on() -> None:
    gate = Gate(1)
    await gate.enter()
    first = asyncio.create_task(gate.enter())
    second = asyncio.create_task(gate.enter())
    await asyncio.sleep(0)
    gate.leave()
    first.cancel()
    await asyncio.wait_for(second, 1)
    assert gate.in_flight == 1


def test_retry_after_is_honoured_by_all_calls() -> None:
    starts: list[float] = []

    def make(clock: HandClock) -> Callable[[Request], object]:
        def script(_: Request) -> str:
            starts.append(clock.now())
            if len(starts) == 1:
                raise RateLimitError("slow down", retry_after=10)
            return "yes"

        return script

    timed(make, Limits(1), calls=3)
    assert starts[0] == 0
    assert min(starts[1:]) >= 10


def test_a_server_error_is_tried_again_with_growing_jittered_pauses() -> None:
    clock, _, (reply,) = timed(failing(*[ServerError("down")] * 3), Limits(1, first_pause=1))
    assert isinstance(reply, Reply)
    assert (1 + 2 + 4) / 2 <= clock.time <= 1 + 2 + 4


@pytest.mark.parametrize(
    ("failures", "limits", "error"),
    [
        # A server that stays down is given up after the allowed tries.
        ([ServerError(str(n)) for n in range(10)], Limits(1, tries=4), "3"),
        # A wrong request is not tried again.
        ([BadRequestError("no"), BadRequestError("again")], Limits(1), "no"),
        # A rate limit is waited out longer than a failure, and patience with it ends.
        ([RateLimitError("busy", retry_after=1)] * 50, Limits(1, tries=2), None),
        ([RateLimitError("busy", retry_after=30)] * 50, Limits(1, patience=100), "busy"),
    ],
)
def test_each_failure_is_tried_again_as_long_as_that_can_help(
    failures: list[ModelError], limits: Limits, error: str | None
) -> None:
    clock, _, (found,) = timed(failing(*failures), limits)
    assert (None if isinstance(found, Reply) else str(found)) == error
    assert clock.time <= 100


def test_requests_a_minute_are_kept_beyond_a_short_burst() -> None:
    clock, _, replies = timed(failing(), Limits(50, requests_per_minute=60), calls=36)
    assert len(replies) == 36
    assert 29 <= clock.time <= 31  # 36 requests at one a second, six of them at once


def test_tokens_a_minute_are_booked_as_they_were_used() -> None:
    def make(_: HandClock) -> Callable[[Request], object]:
        return lambda _: Reply("yes", usage=Usage(50, 50))

    clock, _, _ = timed(make, Limits(1, tokens_per_minute=6000), calls=31)
    assert 23 <= clock.time <= 25  # 3,000 tokens at 100 a second, six seconds' worth at once


@in_loop
async def test_pace_allows_more_after_a_pause_but_no_more_than_the_burst() -> None:
    clock = HandClock()
    pace = Pace(60, clock)
    clock.time = 1000.0
    await clock.run(asyncio.gather(*(clock.sleep(pace.delay(1)) for _ in range(7))))
    assert clock.time == 1001.0


@pytest.mark.parametrize(
    "wrong", [{"concurrency": 0}, {"requests_per_minute": 0.0}, {"tokens_per_minute": -1.0}]
)
def test_impossible_limits_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        Limits(**wrong)  # type: ignore[arg-type]


@in_loop
async def test_a_session_that_ends_waits_for_no_pause_and_makes_no_further_call() -> None:
    calls: list[Request] = []
    script = answering(calls, RateLimitError("busy", retry_after=3600))
    model = Client(Scripted(script), Throttle(Limits(1)))
    work = asyncio.gather(*(model.ask(ASK) for _ in range(3)), return_exceptions=True)
    await asyncio.sleep(0.01)
    model.stop()
    assert all(isinstance(error, Interrupted) for error in await asyncio.wait_for(work, 1))
    assert len(calls) == 1
