"""The network that the clients use, against a real server that closes what is idle."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import pytest
from local_server import Handler

from assize.base import connections
from assize.base.connections import Network, use_network
from assize.base.http_client import BoundedClient


class _Handler(Handler):
    """Answers with the number of the connection, and closes it after `answers` answers."""

    server: Server

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1
        self.number, self.answers = self.server.connections, 0

    def do_GET(self) -> None:
        self.send(str(self.number).encode())
        self.answers += 1
        self.close_connection = self.answers == self.server.answers


class Server(ThreadingHTTPServer):
    """A server on this machine; `connections` counts those made to it."""

    daemon_threads = True

    def __init__(self, answers: int | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.connections, self.answers = 0, answers


@contextmanager
def running(server: Server) -> Iterator[str]:
    """The address of the server while it runs."""
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's context with a certificate of its own, which clients trust."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    made, key = tmp_path / "made.pem", tmp_path / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(made)]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(made))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made, key)
    return context


async def ask(url: str, times: int) -> list[str]:
    """The numbers of the connections that answer, one after the other."""
    answers = []
    async with BoundedClient(timeout=30) as client:
        for _ in range(times):
            answers.append((await client.get(url)).text)
            await asyncio.sleep(0.05)  # for the server's goodbye to arrive
    return answers


@pytest.mark.parametrize(
    ("answers", "numbers"),
    [(None, ["1", "1", "1"]), (1, ["1", "2", "3"])],
    ids=["an idle one is used again", "one that the server closed is not"],
)
def test_connections(answers: int | None, numbers: list[str]) -> None:
    with running(Server(answers)) as url:
        assert asyncio.run(ask(url, 3)) == numbers


@pytest.mark.parametrize(("answers", "numbers"), [(None, ["1", "1"]), (1, ["1", "2"])])
def test_over_tls_too(answers: int | None, numbers: list[str], certificate: ssl.SSLContext) -> None:
    server = Server(answers)
    server.socket = certificate.wrap_socket(server.socket, server_side=True)
    with running(server):
        assert asyncio.run(ask(f"https://localhost:{server.server_port}", 2)) == numbers


def test_the_pool_asks_our_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every idle connection costs each request a look-up of its socket."""
    asked: list[str] = []
    ask_stream = connections._Stream.get_extra_info

    def counted(self: connections._Stream, info: str) -> Any:
        asked.append(info)
        return ask_stream(self, info)

    monkeypatch.setattr(connections._Stream, "get_extra_info", counted)
    with running(Server()) as url:
        asyncio.run(ask(url, 2))
    assert "is_readable" in asked


def test_a_proxy_of_the_environment_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(Server()) as url:
        monkeypatch.setenv("HTTP_PROXY", url)
        assert asyncio.run(ask("http://models.invalid/v1", 2)) == ["1", "1"]


def test_every_pool_of_a_client_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    client = httpx2.AsyncClient()
    use_network(client)
    transports = (client._transport, *client._mounts.values())
    pools = [place._pool for place in transports if isinstance(place, httpx2.AsyncHTTPTransport)]
    assert len(pools) > 1
    assert all(isinstance(pool._network_backend, Network) for pool in pools)
