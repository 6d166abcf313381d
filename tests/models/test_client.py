"""A session's client: asked once, shared in flight, errors not stored, booked and recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.base.loops import in_loop
from tests.models.conftest import answering

from assize.base.errors import ConfigError, NotFoundError, ServerError, UnreachableError
from assize.base.judgment import Usage
from assize.models import (
    Cache,
    CallId,
    Client,
    Limits,
    Price,
    Reply,
    Request,
    Scripted,
    Throttle,
    client,
    messages,
)
from assize.models.cache import key_of
from assize.models.replay import Recorder, Replay
from assize.running import Budget, Interrupted

ASK = Request(messages(("user", "Hi")))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "answers.sqlite")


@pytest.fixture
def other(cache: Cache) -> Iterator[Cache]:
    """The same answers, as another session has opened them."""
    with closing(Cache(cache.path)) as opened:
        yield opened


def test_an_answer_is_asked_once_and_costs_nothing_again(cache: Cache) -> None:
    calls: list[Request] = []
    model = Client(Scripted(answering(calls)), cache=cache)
    first, second = (asyncio.run(model.ask(ASK)) for _ in range(2))
    assert len(calls) == 1
    assert first.text == second.text == "yes"
    assert (first.usage.cached, second.usage.cached, second.usage.cost_usd) == (False, True, 0.0)


@in_loop
async def test_equal_requests_in_flight_share_one_call(cache: Cache) -> None:
    calls: list[Request] = []
    model = Client(Scripted(answering(calls, seconds=0.01)), cache=cache)
    replies = await asyncio.gather(*(model.ask(ASK) for _ in range(5)))
    assert [reply.text for reply in replies] == ["yes"] * 5
    assert len(calls) == 1


@in_loop
async def test_an_error_is_shared_but_not_stored(cache: Cache) -> None:
    script = answering([], ServerError("down"), seconds=0.01)
    model = Client(Scripted(script), Throttle(Limits(tries=1)), cache=cache)
    both = await asyncio.gather(*(model.ask(ASK) for _ in range(2)), return_exceptions=True)
    assert all(isinstance(one, ServerError) for one in both)
    assert (await model.ask(ASK)).text == "yes"


@in_loop
async def test_a_cache_that_fails_is_said_once_and_the_answer_still_comes(tmp_path: Path) -> None:
    said: list[str] = []
    cache = Cache(tmp_path / "answers.sqlite", note=said.append)
    model = Client(Scripted(lambda _: "yes"), cache=cache)
    cache._kept._open.writing.execute("DROP TABLE answers")
    cache._kept._open.reading.execute(
        "CREATE VIEW answers AS SELECT x'00' key, 1 used, '' reply, 0 checksum WHERE 0"
    )
    assert [(await model.ask(replace(ASK, sample=n))).text for n in range(2)] == ["yes", "yes"]
    assert len(said) == 1


@in_loop
async def test_what_another_session_asks_is_waited_for(cache: Cache, other: Cache) -> None:
    calls: list[Request] = []
    script = answering(calls, seconds=0.05)
    models = [Client(Scripted(script), cache=one) for one in (cache, other)]
    first, second = await asyncio.gather(*(model.ask(ASK) for model in models))
    assert len(calls) == 1
    assert (first.text, second.text) == ("yes", "yes")
    assert (first.usage.cached, second.usage.cached, second.usage.cost_usd) == (False, True, 0.0)


@in_loop
async def test_waiting_for_another_session_keeps_no_other_call_waiting(
    cache: Cache, other: Cache
) -> None:
    assert other.claims.take(key_of("scripted:function", ASK))
    budget = Budget(1.0)
    model = Client(
        Scripted(lambda _: "yes"),
        Throttle(Limits(concurrency=1)),
        cache=cache,
        price=Price(1.0, 1.0),
        budget=budget,
    )
    waiting = asyncio.ensure_future(model.ask(ASK))
    await asyncio.sleep(0.05)
    before = budget.spent
    assert (await model.ask(replace(ASK, sample=1))).text == "yes"
    assert before == 0.0 < budget.spent
    assert not waiting.done()
    other.close()
    assert (await waiting).text == "yes"


@in_loop
async def test_where_the_other_session_fails_this_one_asks(cache: Cache, other: Cache) -> None:
    down = answering([], ServerError("down"), seconds=0.05)
    first = Client(Scripted(down), Throttle(Limits(tries=1)), cache=cache)
    second = Client(Scripted(lambda _: "yes"), cache=other)
    failed, reply = await asyncio.gather(first.ask(ASK), second.ask(ASK), return_exceptions=True)
    assert isinstance(failed, ServerError)
    assert isinstance(reply, Reply)
    assert (reply.text, reply.usage.cached) == ("yes", False)


@in_loop
async def test_a_session_that_ends_waits_no_longer_and_has_said_why_it_waited(
    cache: Cache, other: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_NOTED_AFTER", 0.0)
    assert other.claims.take(key_of("scripted:function", ASK))
    said: list[str] = []
    model = Client(Scripted(lambda _: "yes"), cache=cache, note=said.append)
    assert key_of(model.identity, ASK) == key_of("scripted:function", ASK)
    waiting = asyncio.ensure_future(model.ask(ASK))
    while not said:
        await asyncio.sleep(0.01)
    model.stop()
    with pytest.raises(Interrupted):
        await waiting
    assert said == ["waiting for answers that another process is asking for"]


@in_loop
async def test_a_damaged_file_is_told_once_and_its_answers_are_asked_anew(tmp_path: Path) -> None:
    said: list[str] = []
    cache = Cache(tmp_path / "damaged.sqlite", note=said.append)
    model = Client(Scripted(lambda _: "yes"), cache=cache)
    requests = [replace(ASK, sample=n) for n in range(300)]
    await asyncio.gather(*(model.ask(one) for one in requests))
    cache._kept._open.writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with cache.path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (cache.path.stat().st_size - 8192))
    cache._kept._open = cache._kept._opened()
    assert {(await model.ask(one)).text for one in requests} == {"yes"}
    assert len(said) == 2
    assert "is damaged" in said[0]
    assert "no longer stored" in said[1]
    cache.close()


def test_every_reply_is_recorded_also_one_from_the_cache(tmp_path: Path, cache: Cache) -> None:
    recorder = Recorder(tmp_path / "r.jsonl")
    calls = CallId("i1", "io"), CallId("i2", "io")
    model = Client(Scripted(lambda _: "yes"), cache=cache, recorder=recorder)
    for call in calls:
        asyncio.run(model.ask(replace(ASK, call_id=call)))
    recorder.close()
    recorded = Replay(tmp_path / "r.jsonl")
    replies = [asyncio.run(recorded.ask(replace(ASK, call_id=call))) for call in calls]
    assert [reply.text for reply in replies] == ["yes", "yes"]


@in_loop
async def test_an_answer_is_stored_before_its_place_among_those_in_flight_is_left(
    cache: Cache,
) -> None:
    in_flight: list[int] = []
    model = Client(Scripted(lambda _: "yes"), Throttle(Limits(1)), cache=cache)
    put = cache.put

    async def noting(key: bytes, reply: str) -> None:
        await put(key, reply)
        in_flight.append(model.throttle.gate.in_flight)

    cache.put = noting  # type: ignore[method-assign]
    await model.ask(ASK)
    in_flight.append(model.throttle.gate.in_flight)
    assert in_flight == [1, 0]


def test_each_attempt_is_booked(cache: Cache) -> None:
    budget, failures = Budget(), [ServerError("down"), ServerError("refused", may_cost=False)]

    def script(_: Request) -> Reply:
        if failures:
            raise failures.pop(0)
        return Reply("yes", usage=Usage(1000, 0))

    price = Price(1000.0, 0.0)
    throttle = Throttle(Limits(first_pause=0.001))
    model = Client(Scripted(script), throttle, cache=cache, price=price, budget=budget)
    reply = asyncio.run(model.ask(ASK))
    bound = (len("Hi") + 16 + 1000) / 1000
    assert reply.usage.cost_usd == pytest.approx(1.0)
    assert budget.spent == pytest.approx(bound + 1.0)


def test_the_error_about_an_unknown_price_has_no_price_to_paste() -> None:
    with pytest.raises(ConfigError, match=r'"scripted:.*" = { input = \.\.\., output = \.\.\. }'):
        Client(Scripted(lambda _: "yes"), budget=Budget(1.0))


@pytest.mark.parametrize(
    ("allowed", "name", "count"),
    [(1.0, "openai:mine", 1), (None, "openai:mine", 0), (1.0, "hf:mine", 0)],
)
def test_a_limit_of_money_that_limits_nothing_is_told(
    allowed: float | None, name: str, count: int
) -> None:
    notes: list[str] = []
    model = Scripted(lambda _: "yes")
    model.name = name
    Client(model, price=Price(0.0, 0.0), budget=Budget(allowed), note=notes.append)
    assert notes == [f"the price of {name} is 0, so --max-cost does not limit it"] * count


@in_loop
async def test_a_call_that_is_given_up_stays_booked_and_leaves_its_place(cache: Cache) -> None:
    budget = Budget()

    async def forever(_: Request) -> str:
        await asyncio.sleep(600)
        return "never"

    model = Client(Scripted(forever), cache=cache, price=Price(1000.0, 0.0), budget=budget)
    asking = asyncio.ensure_future(model.ask(ASK))
    await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert cache.claims.take(key_of("scripted:function", ASK))  # free for others
    assert model.throttle.gate.in_flight == 0
    assert budget.spent == pytest.approx((len("Hi") + 16 + 1000) / 1000)


ABSENT = UnreachableError("http://localhost:8000/v1", "All connection attempts failed")
QUICK = Limits(first_pause=0.0)


def test_a_server_that_was_never_reached_is_said_at_once_and_ends_the_session_soon() -> None:
    notes: list[str] = []
    calls: list[int] = []

    def script(request: Request) -> str:
        calls.append(len(notes))
        raise ABSENT

    served = Scripted(script, name="openai:m")
    model = Client(served, Throttle(QUICK), note=notes.append)
    with pytest.raises(ConfigError, match=r"localhost:8000/v1 cannot be reached: All .*--base-url"):
        asyncio.run(model.ask(ASK))
    assert calls == [0, 1, 1]  # the note came after the first try
    assert notes == [f"{ABSENT}; trying again"]


def test_a_server_that_was_reached_before_may_be_away_for_a_while() -> None:
    calls: list[int] = []

    def script(request: Request) -> str:
        calls.append(0)
        if len(calls) == 1:
            return "yes"
        raise ABSENT

    model = Client(Scripted(script), Throttle(QUICK))
    asyncio.run(model.ask(ASK))
    with pytest.raises(UnreachableError):
        asyncio.run(model.ask(ASK))
    assert len(calls) == 1 + QUICK.tries


def test_a_server_that_knows_no_such_address_ends_the_session_at_once() -> None:
    calls: list[Request] = []
    missing = NotFoundError("no such path (404 from http://localhost:8000/chat/completions)")
    served = Scripted(answering(calls, missing), name="openai:m")
    model = Client(served, Throttle(QUICK))
    with pytest.raises(ConfigError, match=r"404 from http.*/chat/completions\); .* in /v1"):
        asyncio.run(model.ask(ASK))
    assert len(calls) == 1


def test_a_server_that_has_answered_before_may_lack_something() -> None:
    def script(request: Request) -> str:
        if request.sample == 1:
            raise NotFoundError("no such model")
        return "yes"

    model = Client(Scripted(script), Throttle(QUICK))
    asyncio.run(model.ask(ASK))
    with pytest.raises(NotFoundError):
        asyncio.run(model.ask(replace(ASK, sample=1)))
