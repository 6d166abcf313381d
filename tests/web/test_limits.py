"""How much the server reads of a request before its body begins or ends, on a real connection."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from fastapi import FastAPI, Request

from assize.web._serve import LARGEST_HEAD, server_of

TRAILERS = b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\nz\r\n0\r\nx: "


def app() -> FastAPI:
    made = FastAPI()

    @made.post("/")
    async def length(request: Request) -> int:
        return len(await request.body())

    return made


async def answers(*pieces: bytes, end: bool = True) -> bytes:
    """Return what the server says to these pieces, sent one after the other on one connection."""
    server = server_of(app())
    server.config.port = 0
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    reply = b""
    with suppress(ConnectionError):  # the server may hang up before it has read all
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.02)
        if end:
            writer.write_eof()
        reply = await reader.read()
    writer.close()
    server.should_exit = True
    await serving
    return reply


def head(size: int, more: str = "") -> bytes:
    """Return a request whose header x has so many bytes."""
    return f"POST / HTTP/1.1\r\nhost: x\r\n{more}x: {'y' * size}\r\n\r\n".encode()


def statuses(*pieces: bytes, end: bool = True) -> list[int]:
    """Return the status of each answer."""
    parts = asyncio.run(answers(*pieces, end=end)).split(b"HTTP/1.1 ")[1:]
    return [int(part[:3]) for part in parts]


def test_a_head_is_read_up_to_the_limit() -> None:
    assert statuses(head(LARGEST_HEAD // 2)) == [200]


def test_each_request_of_a_connection_has_a_limit_of_its_own() -> None:
    assert statuses(head(40_000), head(40_000)) == [200, 200]


def test_a_long_body_is_no_long_head() -> None:
    body = b"z" * 3 * LARGEST_HEAD
    assert statuses(head(10, f"content-length: {len(body)}\r\n"), body) == [200]


@pytest.mark.parametrize("begin", [b"POST / HTTP/1.1\r\nhost: x\r\nx: ", TRAILERS])
def test_a_head_or_a_trailer_that_never_ends_is_cut(begin: bytes) -> None:
    # Without a limit the server would wait for more, and the answer for ever.
    assert statuses(begin, *[b"y" * 30_000] * 20, end=False) in ([400], [])
