"""What is too large is refused before it is read."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest
from tests.web.attacks.crawler import api_routes, filled_in, methods_of
from tests.web.attacks.world import World

from assize.web._routes.viewer import FIELDS
from assize.web._security import LARGEST


def asked(world: World, head: str) -> socket.socket:
    """A connection on which the head of a request was sent."""
    found = socket.create_connection(world.address, timeout=30)
    cookie = f"cookie: assize={world.token('Ana')}"
    found.sendall(f"{head}\r\nhost: x\r\n{cookie}\r\n".encode())
    return found


def status(connection: socket.socket) -> int:
    """Of the answer that comes."""
    line = connection.makefile("rb").readline().split()
    return int(line[1]) if len(line) > 1 else 0


FORM = {"content-type": "application/x-www-form-urlencoded"}


def test_a_body_that_is_said_to_be_too_large_is_refused_unread(world: World) -> None:
    """On every address that takes one: the answer comes although nothing was sent."""
    posts = [one for one in api_routes(world.app) if "POST" in methods_of(one)]
    assert len(posts) > 10
    for route in posts:
        with asked(world, f"POST {filled_in(route, {})} HTTP/1.1") as connection:
            connection.sendall(b"content-length: 10000000000\r\n\r\n")
            assert status(connection) == 413, route.path


@pytest.mark.parametrize("length", ["-1", "x", "1, 2", "9" * 500])
def test_a_length_that_is_none_is_refused(world: World, length: str) -> None:
    with asked(world, "POST /me/leave HTTP/1.1") as connection:
        connection.sendall(f"content-length: {length}\r\n\r\n".encode())
        assert status(connection) in (400, 413)


def test_a_body_without_a_length_is_read_up_to_the_limit(world: World) -> None:
    """Chunk after chunk, until the server hangs up; it may have some of them in its buffers."""
    chunk = b"x" * 65_536
    sent = 0
    with asked(world, "POST /me/password HTTP/1.1") as connection:
        connection.sendall(b"transfer-encoding: chunked\r\n\r\n")
        try:
            while sent < 40 * LARGEST:
                connection.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                sent += len(chunk)
        except (BrokenPipeError, ConnectionResetError):
            pass
    assert LARGEST - len(chunk) < sent < 10 * LARGEST


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ("&".join(f"a{place}=1" for place in range(FIELDS + 1)).encode(), FORM),
        (b"%ff%fe=1", {}),
        (b"\xff\xfe", {}),
        (b"--x\r\ncontent-disposition: form-data; name=a\r\n\r\n1", {}),
    ],
    ids=["too many fields", "half characters", "no text", "parts"],
)
def test_what_is_no_form_is_refused(world: World, body: bytes, headers: dict[str, str]) -> None:
    with world.visitor("Ana") as client:
        answer = client.post("/me/password", content=body, headers=headers)
        assert answer.status_code == 400


ENDLESS = {
    "one header": (b"", b"y" * 50_000),
    "many headers": (b"", b"y: z\r\n" * 10_000),
    "a trailer": (b"transfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", b"y: z\r\n" * 10_000),
    "a chunk's extension": (b"transfer-encoding: chunked\r\n\r\n1;", b"y" * 50_000),
}


@pytest.mark.parametrize("where", ENDLESS)
def test_what_never_comes_to_an_end_is_refused(world: World, where: str) -> None:
    """Before it is kept: the server hangs up while more is sent."""
    first, more = ENDLESS[where]
    sent = 0
    gone = suppress(BrokenPipeError, ConnectionResetError)
    with asked(world, "POST /sign-in HTTP/1.1") as connection, gone:
        connection.sendall(first or b"x: ")
        while sent < 40 * LARGEST:
            connection.sendall(more)
            sent += len(more)
    assert sent < 10 * LARGEST


@pytest.mark.parametrize("size", [1_000_000, 4_000_000])
def test_a_head_that_is_too_large_is_refused(world: World, size: int) -> None:
    """Beyond 64 kB, and what one read of the connection may bring besides."""
    with asked(world, "GET /sign-in HTTP/1.1") as connection, suppress(ConnectionError):
        connection.sendall(b"x: " + b"y" * size + b"\r\n\r\n")
        assert status(connection) == 400


def test_the_largest_head_that_is_taken_is_taken(world: World) -> None:
    with asked(world, "GET /sign-in HTTP/1.1") as connection:
        connection.sendall(b"x: " + b"y" * 60_000 + b"\r\n\r\n")
        assert status(connection) == 303


def test_the_server_goes_on(world: World) -> None:
    with world.visitor("Ana") as client:
        assert client.get("/me").status_code == 200


def test_each_request_of_a_connection_has_a_limit_of_its_own(world: World) -> None:
    with world.visitor() as client:
        found = [client.get("/sign-in", headers={"x": "y" * 40_000}) for _ in range(2)]
    assert [one.status_code for one in found] == [200, 200]
