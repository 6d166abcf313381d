"""The session-wide switch: tests reach this machine and no other."""

from __future__ import annotations

import socket

import pytest


def test_connecting_elsewhere_or_looking_it_up_is_refused() -> None:
    with socket.socket() as one, pytest.raises(BaseException, match="only connect to this machine"):
        one.connect(("192.0.2.1", 80))
    with pytest.raises(BaseException, match="only look up this machine"):
        socket.getaddrinfo("example.org", 443)


def test_this_machine_can_be_reached() -> None:
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
        assert socket.getaddrinfo("localhost", 80)
