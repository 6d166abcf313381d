from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse

from assize.webapp.heads import LARGEST_HEAD, LimitedHead


async def answers(*sent: bytes) -> bytes:
    """What the server says to these pieces, sent one after the other on one connection."""
    settings = uvicorn.Config(
        PlainTextResponse("read"), http=LimitedHead, log_level="critical", port=0
    )
    server = uvicorn.Server(settings)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for one in sent:
        writer.write(one)
        await writer.drain()
        await asyncio.sleep(0.02)
    writer.write_eof()
    found = await reader.read()
    writer.close()
    server.should_exit = True
    await serving
    return found


def head(size: int, more: str = "") -> bytes:
    """A request whose header x has so many bytes."""
    return f"POST / HTTP/1.1\r\nhost: x\r\n{more}x: {'y' * size}\r\n\r\n".encode()


def said(*sent: bytes) -> list[Any]:
    """The status of each answer."""
    parts = asyncio.run(answers(*sent)).split(b"HTTP/1.1 ")[1:]
    return [int(one[:3]) for one in parts]


@pytest.mark.parametrize(("size", "status"), [(LARGEST_HEAD - 100, 200), (LARGEST_HEAD, 400)])
def test_a_head_is_read_up_to_the_limit(size: int, status: int) -> None:
    assert said(head(size)) == [status]


def test_each_request_of_a_connection_has_a_limit_of_its_own() -> None:
    assert said(head(40_000), head(40_000)) == [200, 200]


def test_a_long_body_is_no_long_head() -> None:
    body = b"z" * 3 * LARGEST_HEAD
    assert said(head(10, f"content-length: {len(body)}\r\n"), body) == [200]


def test_a_head_that_comes_in_pieces_is_counted_whole() -> None:
    begun = b"POST / HTTP/1.1\r\nhost: x\r\nx: "
    assert said(begun, *[b"y" * 30_000] * 3) == [400]
