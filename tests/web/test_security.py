"""What is let in: by host, by site, by size; and the headers of whatever goes out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from assize.web._security import LARGEST, POLICY, Guard


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


def client(**how: Any) -> TestClient:
    return TestClient(Guard(echo, **how), base_url="http://localhost")


def test_every_answer_has_the_policy_also_a_refusal() -> None:
    own = client()
    for answer in (own.get("/"), own.post("/", headers={"origin": "https://evil.example"})):
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_the_policy_allows_no_inline_script_and_no_eval() -> None:
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://localhost"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:81"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_a_form_of_another_site_is_refused(headers: dict[str, str], status: int) -> None:
    assert client().post("/", headers=headers).status_code == status


def test_a_page_may_be_asked_for_from_another_site() -> None:
    assert client().get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("host", ["localhost", "localhost:8700", "127.0.0.1:8700", "[::1]:80"])
def test_an_open_app_answers_to_this_machine(host: str) -> None:
    assert client(local=True).get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8700", "127.0.0.1.evil.example"])
def test_an_open_app_answers_to_no_name_that_was_bound_to_it(host: str) -> None:
    assert client(local=True).get("/", headers={"host": host}).status_code == 421


def test_a_body_of_the_largest_size_is_taken_and_one_more_byte_is_not() -> None:
    assert client().post("/", content=b"x" * LARGEST).text == str(LARGEST)
    assert client().post("/", content=b"x" * (LARGEST + 1)).status_code == 413


def test_a_body_that_states_no_length_is_stopped_while_it_comes() -> None:
    sent = 0

    async def endless() -> dict[str, Any]:
        nonlocal sent
        sent += 100_000
        return {"type": "http.request", "body": b"x" * 100_000, "more_body": True}

    told: list[Any] = []

    async def send(message: Any) -> None:
        told.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"host", b"localhost")]}
    asyncio.run(Guard(echo)(scope, endless, send))
    assert told[0]["status"] == 413
    assert sent <= LARGEST + 200_000


@pytest.mark.parametrize("length", ["-1", "many", "1e3", ""])
def test_a_length_that_is_no_number_is_refused(length: str) -> None:
    assert client().post("/", headers={"content-length": length}).status_code == 413
