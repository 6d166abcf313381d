"""Streamed answers through a session's client, against a real local server."""

from __future__ import annotations

import threading
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, completion
from tests.base.loops import in_loop
from tests.models.conftest import read_parts

from assize.base import errors
from assize.models import Client, Limits, Models, ModelSettings, Reply, Request, messages
from assize.models.model import Capability, stream

SAID = "Rotate the key, then restart the service. Ünïcode too."
ASK = Request(messages(("user", "How?")), max_tokens=40)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text('"openai:tiny" = { input = 1.0, output = 2.0 }\n')
    return path


def says(text: str = SAID) -> Any:
    return lambda body: completion(body, text)


def settings(server: ChatServer, **more: Any) -> ModelSettings:
    limits = Limits(first_pause=0.001, tries=3, patience=5.0)
    plain = ModelSettings(base_url=server.url, limits=limits, timeout=20.0, use_cache=False)
    return replace(plain, **more)


async def heard(models: Models, name: str = "openai:tiny", request: Request = ASK) -> list[Any]:
    async with aclosing(stream(models.open(name), request)) as parts:
        return [part async for part in parts]


@in_loop
async def ask(server: ChatServer, request: Request = ASK, **more: Any) -> list[Any]:
    async with Models(settings(server, **more)) as models:
        return await heard(models, request=request)


@in_loop
async def broken(server: ChatServer, **more: Any) -> tuple[list[str], errors.ModelError]:
    """The pieces before an answer breaks off, and the error."""
    pieces: list[str] = []
    async with Models(settings(server, **more)) as models:
        try:
            async with aclosing(stream(models.open("openai:tiny"), ASK)) as parts:
                async for part in parts:
                    assert isinstance(part, str)
                    pieces.append(part)
        except errors.ModelError as error:
            return pieces, error
    raise AssertionError("the answer did not break off")


def test_pieces_together_are_the_text_of_the_reply_that_follows_them() -> None:
    with ChatServer(says()) as server:
        *pieces, reply = ask(server)
    assert len(pieces) > 5
    assert "".join(pieces) == reply.text == SAID
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens == len(SAID) // 4 + 1


@in_loop
async def test_a_piece_arrives_before_the_next_one_is_sent() -> None:
    more = threading.Event()

    def pace(number: int) -> None:
        if number == 3:
            assert more.wait(20)

    with ChatServer(says(), pace=pace) as server:
        async with (
            Models(settings(server)) as models,
            aclosing(stream(models.open("openai:tiny"), ASK)) as parts,
        ):
            assert await anext(parts) == "Rotate "  # the server waits with the rest until now
            more.set()
            *_, reply = [part async for part in parts]
    assert isinstance(reply, Reply)
    assert reply.text == SAID


@in_loop
async def test_a_streamed_reply_has_its_price_and_the_budget_is_settled(prices: Path) -> None:
    with ChatServer(says()) as server:
        async with Models(settings(server, prices=prices, max_cost=1.0)) as models:
            reply = (await heard(models))[-1]
    expected = (reply.usage.input_tokens + 2 * reply.usage.output_tokens) / 1e6
    assert reply.usage.cost_usd == pytest.approx(expected)
    assert models.budget.spent == pytest.approx(expected)


def test_money_that_is_spent_stops_a_stream_before_it_is_sent(prices: Path) -> None:
    with ChatServer(says()) as server:
        pieces, error = broken(server, prices=prices, max_cost=1e-9)
        assert server.seen == []
    assert isinstance(error, errors.BudgetError)
    assert pieces == []


@pytest.mark.parametrize("left", ["early", "cut"])
@in_loop
async def test_an_answer_that_ends_early_stays_booked_at_its_bound(prices: Path, left: str) -> None:
    fault = (lambda number, body: "stream_cut") if left == "cut" else None
    with ChatServer(says(), fault=fault) as server:
        async with Models(settings(server, prices=prices)) as models:
            try:
                async with aclosing(stream(models.open("openai:tiny"), ASK)) as parts:
                    async for _ in parts:
                        if left == "early":
                            break
            except errors.ServerError:
                assert left == "cut"
            assert models.budget.spent > 2 * ASK.max_tokens / 1e6
            assert models.clients["openai:tiny"].throttle.gate.in_flight == 0


@pytest.mark.parametrize("fault", ["429", "500", "cut"])
def test_what_fails_before_its_first_piece_is_asked_again(fault: str) -> None:
    with ChatServer(says(), fault=lambda number, body: None if number else fault) as server:
        found = ask(server)
        assert len(server.seen) == 2
    assert found[-1].text == SAID


@pytest.mark.parametrize("fault", ["stream_cut", "stream_ends", "stream_error", "stream_not_json"])
def test_what_breaks_off_after_a_piece_is_not_asked_again(fault: str) -> None:
    with ChatServer(says(), fault=lambda number, body: fault) as server:
        pieces, error = broken(server)
        assert len(server.seen) == 1
    assert pieces[:1] == ["Rotate "]
    assert isinstance(error, errors.ServerError)
    assert error.may_cost
    assert "sk-live" not in str(error)


@in_loop
async def test_an_overload_told_in_the_middle_slows_down_the_calls_that_follow() -> None:
    with ChatServer(says(), fault=lambda number, body: "stream_overloaded") as server:
        async with Models(settings(server)) as models:
            with pytest.raises(errors.RateLimitError) as raised:
                await heard(models)
            capacity = models.clients["openai:tiny"].throttle.gate.capacity
    assert capacity == Limits().concurrency / 2
    assert raised.value.may_cost


def test_a_server_that_does_not_stream_gives_its_answer_as_one_piece() -> None:
    with ChatServer(says(), streams=False) as server:
        piece, reply = ask(server)
    assert piece == reply.text == SAID


def test_a_server_that_refuses_to_tell_usage_streams_without() -> None:
    with ChatServer(says(), refuses=("stream_options",)) as server:
        reply = ask(server)[-1]
        assert "stream_options" not in server.seen[1].body
    assert reply.text == SAID
    assert reply.usage.output_tokens == 0


def test_a_model_without_streaming_gives_its_reply_as_one_piece() -> None:
    class Whole:
        name = identity = "scripted:whole"
        capabilities: frozenset[Capability] = frozenset()

        async def ask(self, request: Request) -> Reply:
            return Reply(SAID)

        async def aclose(self) -> None:
            """Nothing to free."""

    piece, reply = read_parts(Client(Whole()).stream(ASK))
    assert piece == reply.text == SAID


@in_loop
async def test_anthropics_models_give_their_reply_as_one_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("anthropic", reason="anthropic is not installed")
    with ChatServer(says=SAID) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
        async with Models(ModelSettings(use_cache=False)) as models:
            piece, reply = await heard(models, "anthropic:claude")
        assert "stream" not in server.seen[0].body
    assert piece == reply.text == SAID
    assert reply.usage.output_tokens > 0


def test_a_secret_that_the_server_splits_over_pieces_is_taken_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret words of mine")
    with ChatServer(says("It is secret words of mine, and secret.")) as server:
        *pieces, reply = ask(server)
    assert "".join(pieces) == reply.text == "It is ***, and secret."
