"""The server's HTTP with an end to how long a request's head may be, which httptools lacks."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 65_536  # bytes of address and headers, as of uvicorn's other parser


class TooLong(ValueError):
    """The head of a request is longer than is taken."""


class LimitedHead(HttpToolsProtocol):
    """Hangs up where a head, a trailer or what stands between chunks goes on and on.

    What cannot be read yet is kept by the parser, so that anybody could fill the memory.
    """

    _unread = 0  # bytes since a head or a piece of a body was whole

    def data_received(self, data: bytes) -> None:
        """What came over the connection."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._unread = 0
        if len(self.url) + sum(len(one) + len(two) for one, two in self.headers) > LARGEST_HEAD:
            raise TooLong  # which the parser hands on as an error: 400, and the end
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body, whose length is watched elsewhere."""
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self._unread = 0
        super().on_message_complete()
