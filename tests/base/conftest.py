"""A server on this machine for the length of a test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer


class Quiet(BaseHTTPRequestHandler):
    """A handler that says nothing."""

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def running(server: HTTPServer) -> Iterator[str]:
    """The address of the server while it runs."""
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def serving(handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    """A server on a free port."""
    return ThreadingHTTPServer(("127.0.0.1", 0), handler)
