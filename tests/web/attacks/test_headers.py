"""Hosts, methods, redirects and headers that a stranger chooses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.web.accounts.projects import write_project
from tests.web.attacks.conftest import left_alone
from tests.web.attacks.crawler import api_routes, filled_in
from tests.web.attacks.world import World, csrf, running


@pytest.fixture(scope="module")
def open_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("open")
    write_project(folder)
    with running(folder, open=True) as found:
        yield found


@pytest.fixture
def unchanged_open(open_world: World) -> Iterator[World]:
    """The open world, in which the test may change nothing."""
    with left_alone(open_world) as found:
        yield found


@pytest.mark.parametrize("field", ["back", "next"])
def test_no_form_leads_elsewhere(world: World, field: str) -> None:
    with world.visitor("Lea", "admin") as client:
        token = csrf(client)
        remark = next(row[0] for row in world.state()["comments"] if row[6] == "flag")
        fields = {"csrf": token, field: "https://evil.example/", "open": "yes"}
        answer = client.post(f"/admin/comments/{remark}/settle", data=fields)
        assert answer.headers["location"] == "/"


def test_another_host_in_the_head_is_believed_by_nobody(world: World) -> None:
    """No link, redirect or cookie is made from it."""
    evil = dict.fromkeys(("host", "x-forwarded-host"), "evil.example")
    evil |= {"x-forwarded-proto": "https", "forwarded": "host=evil.example"}
    for name, role in (("Ana", "rater"), ("Lea", "admin")):
        with world.visitor(name, role) as client:
            for path in ["/sign-in", "/nothing", *world.crawled(name, role).html]:
                answer = client.get(path, headers=evil)
                mine = world.crawled(name, role).pages.get(path)
                if mine is not None:
                    assert answer.text.count("//evil.example") == mine.text.count("//evil.example")
                assert "evil" not in answer.headers.get("location", "")
    with world.visitor("Lea", "admin") as client:
        fields = {"csrf": csrf(client), "count": "1", "role": "rater", "days": "1"}
        page = client.post("/admin/people/invite", data=fields, headers=evil)
        assert page.status_code == 200
        assert f"{world.url}/invitation/" in page.text
        assert "evil.example/invitation" not in page.text


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.example:8700",
        "",
        "127.0.0.2",
        "[::2]",
        "localhost@evil.example",
    ],
)
def test_open_answers_to_this_machines_names_alone(unchanged_open: World, host: str) -> None:
    """A name that a stranger points at 127.0.0.1 (DNS rebinding) reads and does nothing."""
    with unchanged_open.visitor() as client:
        assert client.get("/", headers={"host": host}).status_code in (400, 421)
        answer = client.post("/admin/read-again", headers={"host": host})
        assert answer.status_code in (400, 403, 421)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_open_answers_to_this_machine(open_world: World, host: str) -> None:
    port = open_world.address[1]
    with open_world.visitor() as client:
        for one in (host, f"{host}:{port}"):
            assert client.get("/", headers={"host": one}).status_code == 200


def test_open_does_nothing_for_other_sites(unchanged_open: World) -> None:
    with unchanged_open.visitor() as client:
        token = csrf(client)
        for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
            fields = {"csrf": token, "count": "1", "role": "admin", "days": "1"}
            answer = client.post("/admin/people/invite", data=fields, headers=headers)
            assert answer.status_code == 403
        assert client.post("/admin/people/invite", data={"count": "1"}).status_code == 400


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "PROPFIND"])
def test_other_methods_do_nothing(unchanged: World, method: str) -> None:
    with unchanged.visitor("Lea", "admin") as client:
        for route in api_routes(unchanged.app):
            if "token" in route.path:
                continue
            answer = client.request(method, filled_in(route, {}))
            assert answer.status_code in (404, 405), (method, route.path)


def test_a_form_cannot_be_sent_as_a_link(unchanged: World) -> None:
    """Neither with GET nor with a method in a header or a field."""
    with unchanged.visitor("Lea", "admin") as client:
        token = csrf(client)
        for route in api_routes(unchanged.app):
            if route.methods != {"POST"} or "collect" in route.path:
                continue
            path = filled_in(route, {})
            for headers in ({}, {"x-http-method-override": "POST"}, {"x-method-override": "POST"}):
                answer = client.get(f"{path}?csrf={token}&_method=POST", headers=headers)
                assert answer.status_code in (200, 303, 404, 405), path


def test_looking_changes_nothing(unchanged: World) -> None:
    for name, role in (("Ana", "rater"), ("Lea", "admin")):
        with unchanged.visitor(name, role) as client:
            for path in unchanged.crawled(name, role).pages:
                client.get(path)
                client.head(path)


def test_line_ends_in_an_address_make_no_header(world: World) -> None:
    for path in (
        "/sign-in?next=%0d%0aset-cookie:%20a=b",
        "/t/%0d%0aset-cookie:%20a=b",
        "/nothing%0d%0aset-cookie:%20a=b",
        "/me?%0d%0aset-cookie:%20a=b",
    ):
        answer = world.raw(path).partition(b"\r\n\r\n")[0].lower()
        assert b"\nset-cookie" not in answer, path


def test_two_lengths_are_refused(world: World) -> None:
    """What a proxy and the server could read as two requests."""
    lengths = ("content-length: 5", "content-length: 6")
    answer = world.raw("/sign-in", *lengths, method="POST", body="name=x")
    assert answer.split()[1] == b"400"
