"""A model around the cache: asked once, shared in flight, errors not stored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from assize.errors import ServerError
from assize.models import Cache, Cached, Reply, Request, Scripted, Stored, messages

ASK = Request(messages(("user", "Hi")))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "answers.sqlite")


def test_an_answer_is_asked_once_and_costs_nothing_again(cache: Cache) -> None:
    calls: list[Request] = []

    def script(request: Request) -> str:
        calls.append(request)
        return "yes"

    async def run() -> list[Reply]:
        model = Cached(Stored(Scripted(script), cache), cache)
        return [await model.ask(ASK), await model.ask(ASK)]

    first, second = asyncio.run(run())
    assert len(calls) == 1
    assert first.text == second.text == "yes"
    assert (first.usage.cached, second.usage.cached, second.usage.cost_usd) == (False, True, 0.0)


def test_equal_requests_in_flight_share_one_call(cache: Cache) -> None:
    calls: list[Request] = []

    async def script(request: Request) -> str:
        calls.append(request)
        await asyncio.sleep(0.01)
        return "yes"

    async def run() -> list[Reply]:
        model = Cached(Stored(Scripted(script), cache), cache)
        return await asyncio.gather(*(model.ask(ASK) for _ in range(5)))

    assert [reply.text for reply in asyncio.run(run())] == ["yes"] * 5
    assert len(calls) == 1


def test_an_error_is_shared_but_not_stored(cache: Cache) -> None:
    calls: list[Request] = []

    async def script(request: Request) -> str:
        calls.append(request)
        await asyncio.sleep(0.01)
        if len(calls) == 1:
            raise ServerError("down")
        return "yes"

    async def run() -> tuple[list[object], Reply]:
        model = Cached(Stored(Scripted(script), cache), cache)
        both = await asyncio.gather(*(model.ask(ASK) for _ in range(2)), return_exceptions=True)
        return list(both), await model.ask(ASK)

    failed, reply = asyncio.run(run())
    assert all(isinstance(one, ServerError) for one in failed)
    assert reply.text == "yes"


def test_a_cache_that_fails_is_said_once_and_the_answer_still_comes(cache: Cache) -> None:
    said: list[str] = []

    async def run() -> list[str]:
        model = Cached(Stored(Scripted(lambda _: "yes"), cache, said.append), cache)
        cache._kept._open.writing.execute("DROP TABLE answers")
        view = "CREATE VIEW answers AS SELECT x'00' key, 1 used, '' reply WHERE 0"
        cache._kept._open.reading.execute(view)
        return [(await model.ask(replace(ASK, sample=n))).text for n in range(2)]

    assert asyncio.run(run()) == ["yes", "yes"]
    assert len(said) == 1
