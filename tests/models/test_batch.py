"""A queue where requests wait for a batch: booked once, collected, never sent twice unseen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from assize.base.errors import BadRequestError, BudgetError, DataError, ModelTimeout, ServerError
from assize.base.judgment import Usage
from assize.models import Cache, Client, Price, Reply, Request, batch, messages
from assize.models.batch import BatchQueue
from assize.models.batch_model import Result, Submission
from assize.models.cache import key_of
from assize.models.model import Capability
from assize.running import AwaitingBatch, Budget, Ledger

ASK = Request(messages(("user", "Hi")), max_tokens=100)
KEY = key_of("id", ASK).hex()
PRICE = Price(0.0, 10_000.0)  # one call may cost 1.00, in a batch 0.50


class Batches:
    """A provider of batches in memory; each reply has ten tokens out."""

    name, identity = "openai:m", "id"
    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, problem: Exception | None = None) -> None:
        self.problem = problem
        self.sent: list[list[str]] = []
        self.results: list[Result] | None = None
        self.found: str | Exception | None = None  # what came of a lost submission

    def body(self, request: Request) -> dict[str, Any]:
        return {"text": request.messages[0].text}

    def read(self, response: Any, request: Request) -> Reply:
        if response["text"] is None:
            raise ServerError("no text")
        return Reply(response["text"], usage=Usage(*response.get("tokens", (1, 10))))

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]], tag: str) -> str:
        self.sent.append([key for key, _ in requests])
        if self.problem is not None:
            raise self.problem
        return f"b{len(self.sent)}"

    async def collect(self, batch: str) -> list[Result] | None:
        return self.results

    async def submitted(self, lost: Submission) -> str | None:
        assert len(lost.tag) == 16
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    async def ask(self, request: Request) -> Reply:
        raise AssertionError("asked at once")

    async def aclose(self) -> None:
        pass


Open = Callable[[Batches, Budget], BatchQueue]


@pytest.fixture
def open_queue(tmp_path: Path) -> Iterator[Open]:
    """Opens the queue of one folder, as each session does."""
    with ExitStack() as stack:

        def make(model: Batches, budget: Budget) -> BatchQueue:
            cache = Cache(tmp_path / "answers.sqlite")
            queue = BatchQueue(tmp_path / "queue", model, cache, PRICE, budget)
            stack.callback(cache.close)
            stack.callback(queue.close)
            return queue

        yield make


def ask(queue: BatchQueue) -> Reply:
    return asyncio.run(Client(queue.model, cache=queue._cache, batch=queue).ask(ASK))


def kept(place: Path, allowed: float | None = None) -> Budget:
    budget = Budget(allowed)
    budget.keep_in(Ledger(place))
    return budget


def wait(queue: BatchQueue) -> None:
    with pytest.raises(AwaitingBatch):
        ask(queue)


def submitted(queue: BatchQueue) -> BatchQueue:
    """The queue, once its request waits in a batch."""
    wait(queue)
    asyncio.run(queue.submit())
    return queue


def test_a_request_is_booked_when_it_is_queued_and_settled_when_it_is_answered(
    tmp_path: Path, open_queue: Open
) -> None:
    model, budget = Batches(), kept(tmp_path)
    submitted(open_queue(model, budget))
    assert (model.sent, tuple(budget.batches)) == ([[KEY]], (KEY,))
    budget = kept(tmp_path, 0.6)  # another session
    again = open_queue(model, budget)
    wait(again)
    assert again.queued == 0
    model.results = [Result(KEY, {"text": "Hello"})]
    asyncio.run(again.collect(lambda _: None))
    assert budget.spent == pytest.approx(0.05)
    assert not budget.batches
    assert again.fresh == {KEY}


@pytest.mark.parametrize("response", [{"text": None}, {"text": "Hello", "tokens": (0, 0)}])
def test_an_answer_that_may_have_been_charged_stays_booked_at_its_most(
    tmp_path: Path, open_queue: Open, response: dict[str, Any]
) -> None:
    model, budget = Batches(), kept(tmp_path)
    queue = submitted(open_queue(model, budget))
    model.results = [Result(KEY, response)]
    asyncio.run(queue.collect(lambda _: None))
    assert budget.spent == pytest.approx(0.5)
    assert not budget.batches


def test_a_request_that_could_cost_too_much_is_not_queued(tmp_path: Path, open_queue: Open) -> None:
    queue = open_queue(Batches(), kept(tmp_path, 0.4))
    with pytest.raises(BudgetError):
        ask(queue)
    assert queue.waiting == 0


def test_a_batch_that_failed_costs_nothing_and_after_three_is_given_up(
    tmp_path: Path, open_queue: Open
) -> None:
    model, budget = Batches(), kept(tmp_path)
    for _ in range(3):
        queue = submitted(open_queue(model, budget))
        model.results = [Result(KEY, error=ServerError("down"))]
        asyncio.run(queue.collect(lambda _: None))
        assert (budget.spent, tuple(budget.batches)) == (0.0, ())
    with pytest.raises(ServerError, match="failed in a batch: down"):
        ask(open_queue(model, budget))


@pytest.fixture(params=[ModelTimeout, ServerError])
def lost(request: pytest.FixtureRequest, tmp_path: Path, open_queue: Open) -> None:
    """A session has ended while it submitted, and nobody knows whether there is a batch."""
    queue = open_queue(Batches(request.param("no word")), kept(tmp_path))
    wait(queue)
    with pytest.raises(request.param):
        asyncio.run(queue.submit())


def collected(queue: BatchQueue) -> list[str]:
    said: list[str] = []
    asyncio.run(queue.collect(said.append))
    return said


@pytest.mark.usefixtures("lost")
def test_a_batch_that_an_ended_session_had_submitted_is_taken_up(
    tmp_path: Path, open_queue: Open
) -> None:
    model, budget = Batches(), kept(tmp_path)
    model.found, model.results = "b7", [Result(KEY, {"text": "Hello"})]
    again = open_queue(model, budget)
    assert collected(again) == [
        "1 requests to openai:m had been submitted, as batch b7",
        "batch b7: 1 of 1 answered",
    ]
    assert budget.spent == pytest.approx(0.05)
    assert not budget.batches
    assert again.fresh == {KEY}
    assert model.sent == []


@pytest.mark.usefixtures("lost")
def test_a_submission_of_which_no_batch_came_is_queued_again(
    tmp_path: Path, open_queue: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, budget = Batches(), kept(tmp_path)
    again = open_queue(model, budget)
    assert "looked for again once 60 seconds" in collected(again)[0]  # it may still arrive
    wait(again)
    assert (again.queued, again.waiting) == (0, 1)
    asyncio.run(again.submit())
    assert model.sent == []
    monkeypatch.setattr(batch, "ARRIVES", 0.0)
    again = open_queue(model, kept(tmp_path))
    assert collected(again) == []
    submitted(again)
    assert model.sent == [[KEY]]
    assert budget.spent == 0.0


@pytest.mark.usefixtures("lost")
def test_where_a_server_lists_no_batches_what_may_have_been_submitted_stays_booked(
    tmp_path: Path, open_queue: Open
) -> None:
    model, budget = Batches(), kept(tmp_path)
    model.found = BadRequestError("no such address")
    again = open_queue(model, budget)
    assert "stay booked" in collected(again)[0]
    assert budget.spent == pytest.approx(0.5)
    wait(again)
    assert again.queued == 1


def test_what_was_refused_was_not_submitted(tmp_path: Path, open_queue: Open) -> None:
    model, budget = Batches(BadRequestError("no")), kept(tmp_path)
    queue = open_queue(model, budget)
    wait(queue)
    with pytest.raises(BadRequestError):
        asyncio.run(queue.submit())
    assert json.loads((tmp_path / "queue" / "batches.json").read_text())["sending"] == []


def test_what_was_collected_before_a_kill_is_booked_once(
    tmp_path: Path, open_queue: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, budget = Batches(), kept(tmp_path)
    queue = submitted(open_queue(model, budget))
    model.results = [Result(KEY, {"text": "Hello"}), Result("00" * 32, {"text": "not asked"})]

    def killed(_: BatchQueue) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(BatchQueue, "_save", killed)
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(queue.collect(lambda _: None))
    budget = kept(tmp_path)
    assert collected(open_queue(model, budget)) == ["batch b1: 1 of 1 answered"]
    assert budget.spent == pytest.approx(0.05)


def test_a_queue_that_is_opened_and_not_used_leaves_the_folder_alone(
    tmp_path: Path, open_queue: Open
) -> None:
    model = Batches()
    queue = open_queue(model, kept(tmp_path))
    wait(queue)
    open_queue(Batches(), kept(tmp_path))  # another process, before it learns that the run is taken
    asyncio.run(queue.submit())
    assert model.sent == [[KEY]]


def test_a_damaged_list_of_batches_is_an_error_with_its_place(
    tmp_path: Path, open_queue: Open
) -> None:
    (tmp_path / "queue").mkdir()
    (tmp_path / "queue" / "batches.json").write_text('{"out": [')
    with pytest.raises(DataError, match=r"batches\.json"):
        collected(open_queue(Batches(), kept(tmp_path)))
