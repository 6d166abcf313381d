"""The connection to an endpoint: what it sends, and its errors."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx2
import pytest

from assize.base import errors
from assize.base.http_client import BoundedClient
from assize.models.openai_connection import connect

URL = "http://127.0.0.1:9/v1"


def post(answer: httpx2.Response, sent: list[httpx2.Request] | None = None) -> bytes:
    """What a post returns when the server answers so."""

    def handle(request: httpx2.Request) -> httpx2.Response:
        if sent is not None:
            sent.append(request)
        return answer

    connection = connect(URL, timeout=5)
    http = BoundedClient(timeout=5, transport=httpx2.MockTransport(handle))
    return asyncio.run(replace(connection, http=http).post({"text": "é"}))


def test_a_call_carries_key_and_organisation_and_nothing_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    sent: list[httpx2.Request] = []
    assert post(httpx2.Response(200, content=b"{}"), sent) == b"{}"
    assert str(sent[0].url) == f"{URL}/chat/completions"
    assert sent[0].read() == '{"text":"é"}'.encode()
    headers = sent[0].headers
    assert headers["authorization"] == "Bearer sk-of-the-test"
    assert headers["openai-organization"] == "org"
    assert headers["content-type"] == "application/json"
    assert not [name for name in headers if "stainless" in name]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"error": {"message": "no such field"}}', "Error code: 400 - no such field"),
        (b'{"message": "no such field"}', "Error code: 400 - no such field"),
        (b"[1]", "Error code: 400"),
        (b"", "Error code: 400"),
        (b"out of order", "out of order"),
        (b"[" * 100_000, "[" * 2_000),
    ],
)
def test_an_error_says_what_the_server_says(body: bytes, said: str) -> None:
    with pytest.raises(errors.BadRequestError) as caught:
        post(httpx2.Response(400, content=body))
    assert str(caught.value) == said


def test_an_unknown_address_is_named() -> None:
    with pytest.raises(errors.NotFoundError) as caught:
        post(httpx2.Response(404, content=b"no such path"))
    assert str(caught.value) == f"no such path (404 from {URL}/chat/completions)"


def test_the_code_of_an_error_is_read() -> None:
    body = b'{"error": {"message": "m", "code": "insufficient_quota"}}'
    with pytest.raises(errors.AuthenticationError, match="no quota left"):
        post(httpx2.Response(429, content=body))


def test_the_official_endpoint_without_a_key_is_an_error_that_says_so() -> None:
    with pytest.raises(errors.AuthenticationError, match="OPENAI_API_KEY"):
        connect(None, timeout=1)
    assert not connect(URL, timeout=1).official
