from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from local_server import Handler, serving

from assize.base.errors import (
    AnswerError,
    AuthenticationError,
    BadRequestError,
    ConfigError,
    ModelTimeout,
    NotFoundError,
    RateLimitError,
    ServerError,
)
from assize.encoders import load_encoder
from assize.encoders.endpoint import Endpoint, pieces

KEY = "sk-very-secret-key-123456"


@dataclass
class Server:
    """An embeddings server: a text's vector is (its length, how many a's it has, 1)."""

    address: str = ""
    asked: list[list[str]] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)  # statuses to answer first
    delay: float = 0.0  # seconds
    spoil: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] = list

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(body["input"])
        data: list[dict[str, Any]] = [
            {"object": "embedding", "index": place, "embedding": vector(text)}
            for place, text in enumerate(body["input"])
        ]
        data.reverse()  # the protocol numbers them, so the order is the server's
        return {"object": "list", "model": body["model"], "data": self.spoil(data), "usage": {}}


def vector(text: str) -> list[float]:
    return [float(len(text)), float(text.count("a")), 1.0]


def unit(values: Any) -> Any:
    return np.asarray(values) / np.linalg.norm(values)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server = Server()

    class Embeddings(Handler):
        def do_POST(self) -> None:
            assert self.path == "/v1/embeddings"
            body = json.loads(self.body())
            if server.faults:
                error = {"error": {"message": f"no: {KEY} was refused"}}
                self.send(json.dumps(error).encode(), server.faults.pop(0), {"retry-after-ms": "1"})
                return
            time.sleep(server.delay)
            self.send(json.dumps(server.answer(body)).encode())

    with serving(Embeddings) as url:
        server.address = f"{url}/v1"
        yield server


@pytest.fixture
def encoder(server: Server) -> Endpoint:
    made = load_encoder("openai:tiny", base_url=server.address, window=10)
    assert isinstance(made, Endpoint)
    return made


def test_vectors_come_in_the_order_of_the_texts_each_asked_once(
    encoder: Endpoint, server: Server
) -> None:
    found = encoder.encode(["banana", "x", "banana"])
    assert server.asked == [["banana", "x"]]
    expected = [unit(vector(text)) for text in ("banana", "x", "banana")]
    np.testing.assert_allclose(found.vectors, expected, rtol=1e-6)
    assert found.windows.tolist() == [1, 1, 1]
    assert found.tokens is None
    assert encoder.dimension == 3


def test_a_long_text_is_sent_in_pieces_that_weigh_by_their_length(
    encoder: Endpoint, server: Server
) -> None:
    found = encoder.encode(["aaaaaaaaa bbbb"])
    assert server.asked == [["aaaaaaaaa ", "bbbb"]]
    assert found.windows.tolist() == [2]
    expected = 10 * unit([10, 9, 1]) + 4 * unit([4, 0, 1])
    np.testing.assert_allclose(found.vectors[0], unit(expected), rtol=1e-6)


def test_an_empty_text_has_zeros_and_is_not_sent(encoder: Endpoint, server: Server) -> None:
    assert encoder.encode([""]).vectors.shape == (1, 3)
    server.asked.clear()  # one text, to learn the length of the model
    found = encoder.encode(["", "x", ""])
    assert server.asked == [["x"]]
    assert found.vectors[0].tolist() == found.vectors[2].tolist() == [0, 0, 0]
    assert found.windows.tolist() == [1, 1, 1]
    assert encoder.encode([]).vectors.shape == (0, 3)


def test_many_texts_go_in_several_requests(encoder: Endpoint, server: Server) -> None:
    texts = [str(number) for number in range(600)]
    found = encoder.encode(texts)
    assert [len(one) for one in server.asked] == [256, 256, 88]
    np.testing.assert_allclose(found.vectors[599], unit(vector("599")), rtol=1e-6)


def test_signs_that_json_cannot_hold_are_replaced(encoder: Endpoint, server: Server) -> None:
    encoder.encode(["a\0\ud800b"])
    assert server.asked == [["a��b"]]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_can_pass_is_tried_again(
    encoder: Endpoint, server: Server, status: int
) -> None:
    server.faults = [status, status]
    assert encoder.encode(["x"]).vectors.shape == (1, 3)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, BadRequestError),
        (404, NotFoundError),
        (401, AuthenticationError),
        (403, AuthenticationError),
        (429, RateLimitError),
        (503, RateLimitError),
        (408, ModelTimeout),
        (500, ServerError),
    ],
)
def test_each_failure_has_its_error_and_none_shows_the_key(
    encoder: Endpoint, server: Server, status: int, kind: type[Exception]
) -> None:
    server.faults = [status] * 5  # one try and four more
    with pytest.raises(kind, match=r"\*\*\*") as caught:
        encoder.encode(["x"])
    assert type(caught.value) is kind
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is not None
    assert ("OPENAI_API_KEY" in str(caught.value)) is (kind is AuthenticationError)


def test_a_server_that_is_too_slow_or_not_there_has_its_error(server: Server) -> None:
    server.delay = 0.5
    slow = Endpoint("tiny", base_url=server.address, timeout=0.1, retries=0)
    with pytest.raises(ModelTimeout):
        slow.encode(["x"])
    absent = Endpoint("tiny", base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(ServerError, match=r"http://127.0.0.1:9/v1/embeddings cannot be reached"):
        absent.encode(["x"])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[1:],
        lambda data: [data[0] | {"embedding": [1.0]}, *data[1:]],
        lambda data: [one | {"embedding": None} for one in data],
    ],
    ids=["few", "of unlike length", "none"],
)
def test_an_answer_without_the_vectors_is_an_answer_error(
    encoder: Endpoint, server: Server, spoil: Any
) -> None:
    server.spoil = spoil
    with pytest.raises(AnswerError, match="openai:tiny answered"):
        encoder.encode(["x", "y"])


def test_vectors_that_change_their_length_are_an_answer_error(
    encoder: Endpoint, server: Server
) -> None:
    encoder.encode(["x"])
    server.spoil = lambda data: [one | {"embedding": [1.0] * 4} for one in data]
    with pytest.raises(AnswerError, match="of length 4, before of length 3"):
        encoder.encode(["y"])


def test_token_states_cannot_be_had(encoder: Endpoint) -> None:
    with pytest.raises(ConfigError, match="gives no token states"):
        encoder.encode(["x"], tokens=True)


def test_neither_signature_nor_details_nor_name_hold_a_secret(server: Server) -> None:
    place = server.address.removeprefix("http://")
    secret = Endpoint("tiny", base_url=f"http://me:{KEY}@{place}/?key={KEY}")
    assert KEY not in f"{secret.details} {secret.name}"
    assert secret.signature == Endpoint("tiny", base_url=server.address).signature
    for model, window in (("tiny", 9), ("other", 8000)):
        other = Endpoint(model, base_url=server.address, window=window)
        assert other.signature != secret.signature


def test_openai_itself_needs_a_key_and_a_local_server_does_not(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(AuthenticationError, match="set OPENAI_API_KEY"):
        load_encoder("openai:text-embedding-3-small")
    local = Endpoint("tiny", base_url=server.address)
    assert local.encode(["x"]).vectors.shape == (1, 3)


@pytest.mark.parametrize(
    "text", ["", "a", "a" * 25, "ab cd ef gh ij kl mn", "a" * 9 + " " + "b" * 10]
)
def test_pieces_join_to_the_text_and_none_is_too_long(text: str) -> None:
    found = pieces(text, 10)
    assert "".join(found) == text
    assert all(0 < len(piece) <= 10 for piece in found)
