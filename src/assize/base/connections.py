"""Connections that say cheaply whether the server has closed them.

Before each request the pool asks every idle connection whether its socket is readable. httpcore
looks the socket up and makes a poll object each time: with 64 connections a third of a call's
processor time. Here both are made once a connection.
"""

from __future__ import annotations

import select
from collections.abc import Coroutine, Iterable
from ssl import SSLContext
from typing import Any

import httpcore2
import httpx2


class _Stream(httpcore2.AsyncNetworkStream):
    """A network stream whose socket is looked up once."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream
        self._socket = stream.get_extra_info("socket")
        self._poll = select.poll()
        self._poll.register(self._socket.fileno(), select.POLLIN)

    def read(self, max_bytes: int, timeout: float | None = None) -> Coroutine[Any, Any, bytes]:
        return self._stream.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> Coroutine[Any, Any, None]:
        return self._stream.write(buffer, timeout)

    def aclose(self) -> Coroutine[Any, Any, None]:
        return self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        return _Stream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            return self._socket.fileno() < 0 or bool(self._poll.poll(0))
        return self._stream.get_extra_info(info)


class Network(httpcore2.AnyIOBackend):
    """The network of asyncio's event loop, with such streams over TCP."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A stream to a host, within `timeout` seconds; raises httpcore2.ConnectError."""
        stream = await super().connect_tcp(host, port, timeout, local_address, socket_options)
        return _Stream(stream)


def use_network(client: httpx2.AsyncClient) -> None:
    """Lets a client connect by `Network`, directly and through the proxies of the environment.

    httpx2 has no argument for it, and drops those proxies where it is given a transport.
    """
    if not hasattr(select, "poll"):
        return  # Windows: its own streams stay
    for transport in (client._transport, *client._mounts.values()):
        pool: Any = getattr(transport, "_pool", None)
        if hasattr(pool, "_network_backend"):  # else another version: slower, and right
            pool._network_backend = Network()
