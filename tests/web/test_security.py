"""What is let in: by host, by site, by size; and the headers of whatever goes out."""

from __future__ import annotations

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


def test_the_policy_allows_no_inline_script_and_no_eval() -> None:
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("get", {}, 200),
        ("get", {"sec-fetch-site": "cross-site"}, 200),
        ("post", {}, 200),
        ("post", {"origin": "http://localhost"}, 200),
        ("post", {"sec-fetch-site": "same-origin"}, 200),
        ("post", {"sec-fetch-site": "none"}, 200),
        ("post", {"origin": "https://evil.example"}, 403),
        ("post", {"origin": "null"}, 403),
        ("post", {"origin": "http://localhost:81"}, 403),
        ("post", {"sec-fetch-site": "cross-site"}, 403),
        ("post", {"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_a_form_of_another_site_is_refused_and_every_answer_has_the_policy(
    method: str, headers: dict[str, str], status: int
) -> None:
    answer = client().request(method, "/", headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"


def test_a_body_of_the_largest_size_is_taken_and_one_more_byte_is_not() -> None:
    assert client().post("/", content=b"x" * LARGEST).text == str(LARGEST)
    assert client().post("/", content=b"x" * (LARGEST + 1)).status_code == 413
