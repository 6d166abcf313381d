"""A server on this machine, of whatever a handler answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Handler(BaseHTTPRequestHandler):
    """Answers with bytes of a known length, and logs nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def body(self) -> bytes:
        """What the client sent."""
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def send(self, data: bytes, status: int = 200, more: Mapping[str, str] | None = None) -> None:
        """The whole answer, with headers more; of JSON where they do not say otherwise."""
        self.send_response(status)
        shared = {"content-type": "application/json", "content-length": str(len(data))}
        for name, value in (shared | dict(more or {})).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serves in a thread; gives `http://127.0.0.1:PORT`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
