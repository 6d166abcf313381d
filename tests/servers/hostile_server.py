"""A server that never answers as it should: it drips, floods, or sends a bomb.

    python tests/servers/hostile_server.py CLIENT URL TIMEOUT

asks it as one of `CLIENTS` and prints the error's class and the megabytes that took.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import threading
import time
import zlib
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from typing import Any

from local_server import Handler

from assize.base.errors import ModelError
from assize.encoders.endpoint import Endpoint
from assize.models.anthropic import AnthropicModel
from assize.models.anthropic import connect as connect_anthropic
from assize.models.model import Message, Request
from assize.models.openai import OpenAIModel
from assize.models.openai_connection import connect
from assize.models.reward_http import HTTPReward

FAULTS = ("dripping headers", "dripping", "large", "endless", "bomb", "double bomb")
CLIENTS = ("openai", "anthropic", "reward", "embeddings", "openai batch", "anthropic batch")
_MEGABYTE = b" " * (1 << 20)
_DRIPS = 400  # half a minute: a client that never gives up ends all the same
REQUEST = Request((Message("user", "Which?"),))


def _bomb(piece: bytes = _MEGABYTE) -> tuple[bytes, bytes]:
    """The beginning of a gzip stream, and bytes that unfold to `piece` however often they come."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    return head, packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)


class _Handler(Handler):
    server: HostileServer

    def do_GET(self) -> None:
        url = f"http://{self.headers['host']}"
        path = self.path.partition("?")[0]
        if path.endswith(("/content", "/results")):
            self._fault()
        elif "/messages/" in path:
            about = {
                "id": "b",
                "type": "message_batch",
                "processing_status": "ended",
                "results_url": f"{url}/v1/messages/batches/b/results",
            }
            self.send(json.dumps(about).encode())
        else:
            about = {"id": "b", "object": "batch", "status": "completed", "output_file_id": "f"}
            self.send(json.dumps(about).encode())

    def do_POST(self) -> None:
        self.body()
        self._fault()

    def _fault(self) -> None:
        self.server.asked += 1
        try:
            getattr(self, "_" + self.server.fault.replace(" ", "_"))()
        except OSError:
            self.server.hung_up += 1
        self.close_connection = True

    def _begin(self, *headers: tuple[str, str]) -> None:
        self.send_response(200)
        for name, value in (("content-type", "application/json"), *headers):
            self.send_header(name, value)
        self.end_headers()

    def _dripping_headers(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(_DRIPS):
            self.wfile.write(f"x-{number}: 1\r\n".encode())
            time.sleep(0.08)

    def _dripping(self) -> None:
        self._begin(("content-length", str(_DRIPS)))
        for _ in range(_DRIPS):
            self.wfile.write(b" ")
            time.sleep(0.08)

    def _large(self) -> None:
        self._begin(("content-length", str(1 << 30)))
        for _ in range(1 << 10):
            self.wfile.write(_MEGABYTE)

    def _endless(self) -> None:
        self._begin()
        while True:
            self.wfile.write(_MEGABYTE)

    def _bomb(self) -> None:
        self._begin(("content-encoding", "gzip"))
        head, more = _bomb()
        self.wfile.write(head)
        while True:
            self.wfile.write(more * 100)

    def _brackets(self) -> None:
        """Nests deeper than a parser follows; what reads replies is tried with it."""
        self.send(b"[" * 200_000)

    def _double_bomb(self) -> None:
        self._begin(("content-encoding", "gzip, gzip"))
        head, more = _bomb()
        head, more = _bomb(head + more * 1000)
        self.wfile.write(head)
        while True:
            self.wfile.write(more * 10)


class HostileServer(ThreadingHTTPServer):
    """The server; use as a context manager. `fault` is one of `FAULTS`."""

    daemon_threads = True

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.asked = self.hung_up = 0
        super().__init__(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self.server_port}"

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


def call(client: str, url: str, timeout: float) -> Callable[[], object]:
    """What asks the server as that client does."""
    if client == "embeddings":
        encoder = Endpoint("m", base_url=f"{url}/v1", timeout=timeout, retries=0)
        return lambda: encoder.encode(["x"])
    os.environ |= {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": url}

    async def ask() -> object:
        model: Any = None
        if "openai" in client:
            model = OpenAIModel("m", connect(f"{url}/v1", timeout=timeout))
        elif "anthropic" in client:
            model = AnthropicModel("m", connect_anthropic(timeout=timeout))
        else:
            model = HTTPReward(f"{url}/score", timeout=timeout)
        try:
            found: object = await (model.collect("b") if "batch" in client else model.ask(REQUEST))
            return found
        finally:
            await model.aclose()

    return lambda: asyncio.run(ask())


if __name__ == "__main__":
    asks = call(sys.argv[1], sys.argv[2], float(sys.argv[3]))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        asks()
    except ModelError as error:
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(type(error).__name__, grown >> 10)
