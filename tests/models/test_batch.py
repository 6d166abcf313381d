"""A desk where requests wait for a batch: booked once, collected, never sent twice unseen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from assize.errors import BudgetError, ModelTimeout, ServerError
from assize.judgment import Usage
from assize.models import Cache, Price, Reply, Request, messages
from assize.models.batch import Deferred, Desk, Result
from assize.models.cache import key_of
from assize.models.model import Gift
from assize.running import Budget, Ledger, Waiting

ASK = Request(messages(("user", "Hi")), max_tokens=100)
KEY = key_of("id", ASK).hex()
PRICE = Price(0.0, 10_000.0)  # one call may cost 1.00, in a batch 0.50


class Batches:
    """A provider of batches in memory; each reply has ten tokens out."""

    name, identity = "openai:m", "id"
    gives: frozenset[Gift] = frozenset()

    def __init__(self, problem: Exception | None = None) -> None:
        self.problem = problem
        self.sent: list[list[str]] = []
        self.results: list[Result] | None = None

    def body(self, request: Request) -> dict[str, Any]:
        return {"text": request.messages[0].text}

    def read(self, response: Any, request: Request) -> Reply:
        return Reply(response["text"], usage=Usage(1, 10))

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        self.sent.append([key for key, _ in requests])
        if self.problem is not None:
            raise self.problem
        return f"b{len(self.sent)}"

    async def collect(self, batch: str) -> list[Result] | None:
        return self.results

    async def ask(self, request: Request) -> Reply:
        raise AssertionError("asked at once")

    async def aclose(self) -> None:
        pass


Open = Callable[[Batches, Budget], Desk]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Open]:
    """Opens the desk of one folder, as each session does."""
    with ExitStack() as stack:

        def make(model: Batches, budget: Budget) -> Desk:
            cache = Cache(tmp_path / "answers.sqlite")
            one = Desk(tmp_path / "desk", model, cache, PRICE, budget)
            stack.callback(cache.close)
            stack.callback(one.close)
            return one

        yield make


def kept(place: Path, allowed: float | None = None) -> Budget:
    budget = Budget(allowed)
    budget.keep_in(Ledger(place))
    return budget


def put_by(one: Desk) -> None:
    with pytest.raises(Waiting):
        asyncio.run(Deferred(one).ask(ASK))


def test_a_request_is_booked_when_it_is_put_by_and_settled_when_it_is_answered(
    tmp_path: Path, desk: Open
) -> None:
    model, budget = Batches(), kept(tmp_path)
    first = desk(model, budget)
    put_by(first)
    asyncio.run(first.submit())
    assert (model.sent, tuple(budget.batches)) == ([[KEY]], (KEY,))
    budget = kept(tmp_path, 0.6)  # another session
    again = desk(model, budget)
    put_by(again)
    assert again.put_by == 0
    model.results = [Result(KEY, {"text": "Hello"})]
    asyncio.run(again.collect(lambda _: None))
    assert budget.spent == pytest.approx(0.05)
    assert not budget.batches
    assert again.fresh == {KEY}


def test_a_request_that_could_cost_too_much_is_not_put_by(tmp_path: Path, desk: Open) -> None:
    one = desk(Batches(), kept(tmp_path, 0.4))
    with pytest.raises(BudgetError):
        asyncio.run(Deferred(one).ask(ASK))
    assert one.waiting == 0


def test_a_batch_that_failed_costs_nothing_and_after_three_is_given_up(
    tmp_path: Path, desk: Open
) -> None:
    model, budget = Batches(), kept(tmp_path)
    for _ in range(3):
        one = desk(model, budget)
        put_by(one)
        asyncio.run(one.submit())
        model.results = [Result(KEY, error=ServerError("down"))]
        asyncio.run(one.collect(lambda _: None))
        assert (budget.spent, tuple(budget.batches)) == (0.0, ())
    with pytest.raises(ServerError, match="failed in a batch: down"):
        asyncio.run(Deferred(desk(model, budget)).ask(ASK))


def test_what_may_have_been_submitted_before_a_kill_stays_booked(
    tmp_path: Path, desk: Open
) -> None:
    model, budget = Batches(ModelTimeout("no word")), kept(tmp_path)
    one = desk(model, budget)
    put_by(one)
    with pytest.raises(ModelTimeout):
        asyncio.run(one.submit())
    said: list[str] = []
    budget = kept(tmp_path)
    again = desk(Batches(), budget)
    asyncio.run(again.collect(said.append))
    assert said == ["1 requests may have been submitted and stay booked"]
    assert budget.spent == pytest.approx(0.5)
    put_by(again)
    assert again.put_by == 1


def test_what_was_refused_was_not_submitted(tmp_path: Path, desk: Open) -> None:
    model, budget = Batches(ServerError("down")), kept(tmp_path)
    one = desk(model, budget)
    put_by(one)
    with pytest.raises(ServerError):
        asyncio.run(one.submit())
    assert json.loads((tmp_path / "desk" / "batches.json").read_text())["sending"] == []
