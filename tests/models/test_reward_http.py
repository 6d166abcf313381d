"""A reward endpoint behind a real local server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from typing import Any

import pytest
from tests.base.conftest import Quiet, running

from assize.base.endpoints import REWARD_KEY
from assize.base.errors import (
    AuthenticationError,
    ModelError,
    RateLimitError,
    ServerError,
    TooLongError,
    UnreachableError,
)
from assize.models import Models, ModelSettings, Reply, Request, messages
from assize.models.reward_http import HTTPReward

ASK = Request(messages(("user", "Hi"), ("assistant", "Hello")), temperature=None, max_tokens=1)


class Rewards(ThreadingHTTPServer):
    """Answers what a test told it to."""

    status: int
    body: Any
    seen: list[tuple[dict[str, Any], dict[str, str]]]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/score"


class Handler(Quiet):
    server: Rewards

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        sent = json.loads(self.rfile.read(length))
        self.server.seen.append((sent, dict(self.headers)))
        body = self.server.body
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(self.server.status)
        self.send_header("content-length", str(len(data)))
        self.send_header("retry-after", "0.01")
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def server() -> Iterator[Rewards]:
    made = Rewards(("127.0.0.1", 0), Handler)
    made.status, made.body, made.seen = 200, {"score": 1.5}, []
    with running(made):
        yield made


def ask(url: str, request: Request = ASK) -> Reply:
    async def run() -> Reply:
        model = HTTPReward(url, timeout=5.0)
        try:
            return await model.ask(request)
        finally:
            await model.aclose()

    return asyncio.run(run())


@pytest.mark.parametrize(
    "body",
    [
        {"score": -2.25},
        {"reward": -2.25},
        {"scores": [-2.25]},
        {"data": [{"object": "pooling", "data": [-2.25]}]},
        [-2.25],
        -2.25,
    ],
)
def test_the_known_shapes_of_an_answer_are_read(body: Any, server: Rewards) -> None:
    server.body = body
    assert float(ask(server.url).text) == -2.25
    assert server.seen[0][0] == {
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
        ]
    }


@pytest.mark.parametrize("body", [{"score": None}, {"scores": [1, 2]}, {}, "busy", {"score": True}])
def test_an_answer_without_one_number_is_a_server_s_error(body: Any, server: Rewards) -> None:
    server.body = body
    with pytest.raises(ServerError):
        ask(server.url)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(429, RateLimitError), (500, ServerError), (401, AuthenticationError), (413, TooLongError)],
)
def test_a_status_is_the_error_it_stands_for(
    status: int, kind: type[ModelError], server: Rewards
) -> None:
    server.status = status
    with pytest.raises(kind):
        ask(server.url)


def test_a_name_behind_the_address_and_a_key_are_sent_and_the_key_is_written_nowhere(
    server: Rewards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REWARD_KEY, "secret-key-123")
    ask(f"{server.url}#skywork")
    sent, headers = server.seen[0]
    assert sent["model"] == "skywork"
    assert {name.lower(): value for name, value in headers.items()}["authorization"] == (
        "Bearer secret-key-123"
    )
    named = HTTPReward("http://me:secret@127.0.0.1:1/x?key=k#m", timeout=1)
    assert named.name == "http://127.0.0.1:1/x#m"
    assert "secret" not in named.identity


def test_a_dead_server_is_named_by_its_address() -> None:
    with pytest.raises(UnreachableError, match=r"http://127.0.0.1:9/score cannot be reached: All"):
        ask("http://me:secret@127.0.0.1:9/score?key=k")


def test_it_is_limited_tried_again_and_cached_like_any_model(server: Rewards) -> None:
    async def run() -> list[str]:
        async with Models(ModelSettings()) as models:
            model = models.open(server.url)
            return [(await model.ask(ASK)).text for _ in range(3)]

    assert asyncio.run(run()) == ["1.5"] * 3
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 12, "total_tokens": 12}, 12),
        (None, 0),
        ({}, 0),
        ([1], 0),
        ({"prompt_tokens": -1}, 0),
        ({"prompt_tokens": "many"}, 0),
    ],
)
def test_tokens_are_what_the_endpoint_says_and_never_guessed(
    usage: Any, tokens: int, server: Rewards
) -> None:
    server.body = {"score": 1.5, "usage": usage}
    assert ask(server.url).usage.input_tokens == tokens
