"""The client behind every call to an endpoint: it bounds what one attempt may take.

An attempt ends after the request's timeout, from sending to the last byte, however the server
drips; and its reply, decompressed, holds no more than `LARGEST` bytes. No redirect is followed:
it would take the conversation to another host. Servers are told nothing of the machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from assize.base.connections import use_network
from assize.base.errors import TooLargeError
from assize.base.privacy import plain_headers

LARGEST = 64 << 20  # bytes of a reply: 256 vectors of 4,096 numbers are 24 MB
LARGEST_FILE = 1 << 30  # bytes of a batch's results, of which each row is a reply
FILE_SECONDS = 600.0  # that a batch's file may take at least, up or down
_PLACES = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)
_PACKED = (b"content-encoding", b"content-length", b"transfer-encoding")


class BoundedClient(httpx2.AsyncClient):
    """A client whose every attempt is bounded in time and bytes.

    Args:
        timeout: seconds of an attempt, where its request has no timeout of its own.
        largest: bytes of a reply; a streamed one too.
        headers: sent with every request.
        transport: in place of the network.
    """

    def __init__(
        self,
        *,
        timeout: float,
        largest: int = LARGEST,
        headers: dict[str, str] | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(
            timeout=timeout,
            headers=headers,
            limits=_PLACES,
            follow_redirects=False,
            transport=transport,
        )
        self._largest = largest
        use_network(self)

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **more: Any
    ) -> httpx2.Response:
        """The reply, read to its end unless it is to be streamed.

        Raises:
            httpx2.ReadTimeout: the attempt took longer than it may.
            TooLargeError: the reply is larger than it may be.
        """
        headers = request.headers  # the SDKs look in them for how to read the reply
        request.headers = plain_headers(headers)
        seconds = request.extensions.get("timeout", {}).get("read")
        ends = None if seconds is None else asyncio.get_running_loop().time() + seconds
        try:
            async with asyncio.timeout_at(ends):
                inner = await super().send(request, stream=True, **more)
                body = None if stream else await _read(inner, self._largest)
        except TimeoutError as error:
            raise _timed_out(request) from error
        finally:
            request.headers = headers
        return httpx2.Response(
            inner.status_code,
            headers=[pair for pair in inner.headers.raw if pair[0].lower() not in _PACKED],
            content=body,
            stream=_Bounded(inner, ends, self._largest) if body is None else None,
            request=request,
        )


async def _read(response: httpx2.Response, largest: int) -> bytes:
    """A reply's bytes, decompressed; the connection is free afterwards."""
    parts: list[bytes] = []
    size = 0
    try:
        async for part in response.aiter_bytes():
            size = _grown(size, part, largest)
            parts.append(part)
    finally:
        await response.aclose()
    return b"".join(parts)


def _grown(size: int, part: bytes, largest: int) -> int:
    """The size of a reply with its next part; raises TooLargeError for one too large."""
    size += len(part)
    if size > largest:
        raise TooLargeError(f"the reply is larger than {largest >> 20:,} MB")
    return size


def _timed_out(request: httpx2.Request) -> httpx2.ReadTimeout:
    return httpx2.ReadTimeout("the reply took too long", request=request)


class _Bounded(httpx2.AsyncByteStream):
    """A reply's decompressed bytes; httpx unpacks a megabyte at a time."""

    def __init__(self, response: httpx2.Response, ends: float | None, largest: int) -> None:
        self._response, self._ends, self._largest = response, ends, largest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts = self._response.aiter_bytes()
        size = 0
        try:
            while True:
                async with asyncio.timeout_at(self._ends):
                    part = await anext(parts, None)
                if part is None:
                    return
                size = _grown(size, part, self._largest)
                yield part
        except TimeoutError as error:
            raise _timed_out(self._response.request) from error

    async def aclose(self) -> None:
        await self._response.aclose()


async def rows(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The lines of a streamed file that are not empty; raises TooLargeError for one too long."""
    rest: list[bytes] = []
    size = 0
    async for part in parts:
        *whole, last = part.split(b"\n")
        for line in whole:
            joined = b"".join([*rest, line])
            rest, size = [], 0
            if joined.strip():
                yield joined
        rest.append(last)
        size += len(last)
        if size > LARGEST:
            raise TooLargeError(f"a row of the file is larger than {LARGEST >> 20:,} MB")
    if (joined := b"".join(rest)).strip():
        yield joined
