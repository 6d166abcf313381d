"""Bounds of one attempt, against a real server that drips, floods and sends bombs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import hostile_server
import pytest
from hostile_server import CLIENTS, FAULTS, HostileServer
from tests.base.loops import in_loop

from assize.base import http_client
from assize.base.errors import ModelTimeout, TooLargeError
from assize.base.http_client import BoundedClient, rows

MOST = 300  # megabytes that any reply may take, imports included
GUARD = 60.0  # seconds; only a hang takes them


@pytest.mark.parametrize("fault", ["dripping headers", "dripping"])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_reply_that_drips_ends_with_the_timeout(
    client: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("anthropic")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    monkeypatch.setattr(http_client, "FILE_SECONDS", 0.3)
    with HostileServer(fault) as server, pytest.raises(ModelTimeout):
        hostile_server.call(client, server.url, 0.3)()


LARGE = FAULTS[2:]
SOON = {("openai", fault) for fault in LARGE} | {(client, LARGE[1]) for client in CLIENTS}


@pytest.mark.parametrize(
    ("client", "fault"),
    [
        pytest.param(
            client,
            fault,
            marks=()
            if (client, fault) in SOON
            else pytest.mark.nightly("replies of hundreds of megabytes"),
        )
        for client in CLIENTS
        for fault in LARGE
    ],
)
def test_no_reply_takes_much_memory(client: str, fault: str) -> None:
    pytest.importorskip("anthropic")
    with HostileServer(fault) as server:
        done = subprocess.run(
            [sys.executable, hostile_server.__file__, client, server.url, "30"],
            capture_output=True,
            text=True,
            timeout=GUARD,
        )
        assert not done.stderr
        kind, grown = done.stdout.split()
        assert kind == "TooLargeError"
        assert int(grown) < MOST
        assert server.asked == 1


async def in_parts(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def rows_of(*parts: bytes) -> list[bytes]:
    return [row async for row in rows(in_parts(*parts))]


def test_rows_are_put_together_from_any_parts() -> None:
    assert asyncio.run(rows_of(b'{"a', b'": 1}\n\n{', b"}\n ", b"\n3")) == [
        b'{"a": 1}',
        b"{}",
        b"3",
    ]


def test_a_row_may_be_as_long_as_a_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "LARGEST", 4)
    assert asyncio.run(rows_of(b"abcd\n", b"ab", b"cd\n")) == [b"abcd", b"abcd"]
    with pytest.raises(TooLargeError, match="a row of the file is larger"):
        asyncio.run(rows_of(b"abc", b"de"))


@in_loop
async def test_a_streamed_reply_has_the_same_bounds() -> None:
    with HostileServer("endless") as server, pytest.raises(TooLargeError, match="than 1 MB"):
        async with (
            BoundedClient(timeout=30, largest=1 << 20) as client,
            client.stream("POST", server.url) as response,
        ):
            assert [part async for part in response.aiter_bytes()]
