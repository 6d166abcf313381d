"""A reward endpoint behind a real local server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from local_server import Handler, serving
from tests.base.loops import in_loop
from tests.models.conftest import use_model

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


class Rewards(Handler):
    """Answers what a test told it to."""

    url: str
    status: int
    answer: Any
    seen: list[tuple[dict[str, Any], dict[str, str]]]

    def do_POST(self) -> None:
        self.seen.append((json.loads(self.body()), dict(self.headers)))
        text = self.answer if isinstance(self.answer, str) else json.dumps(self.answer)
        self.send(text.encode(), self.status, {"retry-after": "0.01"})


@pytest.fixture
def server() -> Iterator[type[Rewards]]:
    Rewards.status, Rewards.answer, Rewards.seen = 200, {"score": 1.5}, []
    with serving(Rewards) as url:
        Rewards.url = f"{url}/score"
        yield Rewards


def ask(url: str, request: Request = ASK) -> Reply:
    reply: Reply = use_model(lambda: HTTPReward(url, timeout=5.0), lambda model: model.ask(request))
    return reply


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
def test_the_known_shapes_of_an_answer_are_read(body: Any, server: type[Rewards]) -> None:
    server.answer = body
    assert float(ask(server.url).text) == -2.25
    assert server.seen[0][0] == {
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
        ]
    }


@pytest.mark.parametrize("body", [{"score": None}, {"scores": [1, 2]}, {}, "busy", {"score": True}])
def test_an_answer_without_one_number_is_a_server_s_error(body: Any, server: type[Rewards]) -> None:
    server.answer = body
    with pytest.raises(ServerError):
        ask(server.url)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(429, RateLimitError), (500, ServerError), (401, AuthenticationError), (413, TooLongError)],
)
def test_a_status_is_the_error_it_stands_for(
    status: int, kind: type[ModelError], server: type[Rewards]
) -> None:
    server.status = status
    with pytest.raises(kind):
        ask(server.url)


def test_a_name_behind_the_address_and_a_key_are_sent_and_the_key_is_written_nowhere(
    server: type[Rewards], monkeypatch: pytest.MonkeyPatch
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


@in_loop
async def test_it_is_limited_tried_again_and_cached_like_any_model(server: type[Rewards]) -> None:
    async with Models(ModelSettings()) as models:
        model = models.open(server.url)
        assert [(await model.ask(ASK)).text for _ in range(3)] == ["1.5"] * 3
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
    usage: Any, tokens: int, server: type[Rewards]
) -> None:
    server.answer = {"score": 1.5, "usage": usage}
    assert ask(server.url).usage.input_tokens == tokens
