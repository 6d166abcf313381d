"""Signing in and out, and accepting a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.web.accounts.clients import PASSWORD, Site, csrf, post, site

from assize.web._accounts.invitations import invite
from assize.web._accounts.throttle import PAIR
from assize.web._routes.sign_in import local_path
from assize.web._serve import server_of
from assize.web._storage.schema import people


@pytest.fixture
def client(here: Site) -> Any:
    """A browser of nobody; Ana has an account."""
    here.person("Ana")
    return here.visitor()


def test_a_health_check_needs_no_account(client: Any) -> None:
    address = "/sign-in"
    assert client.get(address).status_code == 200
    root = Path(__file__).parents[3]
    assert f"GET {address}`" in (root / "docs" / "web.md").read_text()
    assert f":8700{address}'" in (root / "deploy" / "Dockerfile").read_text()


def test_name_and_password_sign_in_and_lead_on(client: Any) -> None:
    assert client.get("/me").headers["location"] == "/sign-in?next=%2Fme"
    done = post(client, "/sign-in", name="ana ", password=PASSWORD, next="/me")
    assert (done.status_code, done.headers["location"]) == (303, "/me")
    assert "Ana" in client.get("/me").text
    assert client.get("/sign-in?next=/me").headers["location"] == "/me"


def test_a_wrong_password_and_a_wrong_name_look_the_same(client: Any) -> None:
    wrong = post(client, "/sign-in", name="Ana", password="no such password", next="/me")
    nobody = post(client, "/sign-in", name="Bob", password="no such password", next="/me")
    assert wrong.status_code == nobody.status_code == 403
    assert wrong.text.replace("Ana", "Bob") == nobody.text
    assert "do not belong together" in wrong.text
    assert not client.cookies


def test_guessing_has_to_wait_and_says_how_long(here: Site, client: Any) -> None:
    for _ in range(PAIR.free):
        post(client, "/sign-in", name="Ana", password="wrong", next="/")
    done = post(client, "/sign-in", name="Ana", password=PASSWORD, next="/")
    assert (done.status_code, done.headers["retry-after"]) == (429, "1")
    assert "1 seconds" in done.text or "1 second" in done.text
    here.now += 1
    assert post(client, "/sign-in", name="Ana", password=PASSWORD, next="/").status_code == 303


@pytest.mark.parametrize(
    ("url", "start", "flags"),
    [
        ("http://testserver", "assize=", set()),
        ("https://rate.example.org", "__Host-assize=", {"Secure"}),
    ],
)
def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites_and_behind_tls_bound_to_its_host(
    tmp_path: Path, url: str, start: str, flags: set[str]
) -> None:
    with site(tmp_path, url=url) as here:
        here.person("Ana")
        client = here.visitor()
        done = post(client, "/sign-in", name="Ana", password=PASSWORD, next="/")
        cookie = done.headers["set-cookie"]
        assert cookie.startswith(start)
        assert {"HttpOnly", "SameSite=lax", "Path=/", *flags} <= set(cookie.split("; "))
        assert "Domain" not in cookie
        assert client.get("/me").status_code == 200


@pytest.mark.parametrize(
    "next",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "\\/evil.example",
        "https:evil.example",
        " //evil.example",
        "data:text/html,x",
        "///evil.example",
        "javascript:1",
        "\\\\evil.example",
        "/\n/evil.example",
        "/a\r\nset-cookie: x=1",
        "",
        "evil",
        "/é",
    ],
)
def test_nothing_leads_away_from_the_site(here: Site, next: str) -> None:
    assert local_path(next) == "/"
    assert here.visitor("Ana").get("/sign-in", params={"next": next}).headers["location"] == "/"
    done = post(here.visitor(), "/sign-in", name="Ana", password=PASSWORD, next=next)
    assert done.headers["location"] == "/"
    assert "set-cookie: x" not in str(done.headers)


def test_a_link_makes_an_account_and_leads_to_the_task(here: Site) -> None:
    token = here.store.write_now(invite, here.now, task="chats")
    client = here.visitor()
    assert client.get(f"/invitation/{token}").status_code == 200
    done = post(client, f"/invitation/{token}", name="Ana", password=PASSWORD, again=PASSWORD)
    assert (done.status_code, done.headers["location"]) == (303, "/t/chats")
    assert "Ana" in client.get("/me").text
    assert here.visitor().get(f"/invitation/{token}").status_code == 404


def test_what_is_wrong_is_said_and_the_link_still_holds(here: Site) -> None:
    here.person("Ben")
    path = f"/invitation/{here.store.write_now(invite, here.now)}"
    client = here.visitor()
    for said, fields in (
        ("is taken", {"name": "BEN", "password": PASSWORD, "again": PASSWORD}),
        ("something else", {"name": "gold", "password": PASSWORD, "again": PASSWORD}),
        ("at least 10", {"name": "Ana", "password": "short", "again": "short"}),
        ("differ", {"name": "Ana", "password": PASSWORD, "again": PASSWORD + "!"}),
        ("easily guessed", {"name": "Anastasia1", "password": "Anastasia1", "again": "Anastasia1"}),
    ):
        done = post(client, path, **fields)
        assert done.status_code == 400
        assert said in done.text
        assert fields["password"] not in done.text or fields["password"] == fields["name"]
    assert post(client, path, name="Ana", password=PASSWORD, again=PASSWORD).status_code == 303


def test_a_link_for_somebody_keeps_their_name(here: Site) -> None:
    token = here.store.write_now(invite, here.now, name="Ana Ruiz")
    client = here.visitor()
    assert 'value="Ana Ruiz"' in client.get(f"/invitation/{token}").text
    post(client, f"/invitation/{token}", name="Eve", password=PASSWORD, again=PASSWORD)
    assert here.column(select(people.c.name)) == ["Ana Ruiz"]


def test_who_is_signed_in_needs_their_own_token_to_accept(here: Site) -> None:
    path = f"/invitation/{here.store.write_now(invite, here.now)}"
    client = here.visitor("Ben")
    fields = {"name": "Ana", "password": PASSWORD, "again": PASSWORD}
    assert post(client, path, **fields).status_code == 400
    assert "signed in as Ben" in client.get(path).text
    token = csrf(client.get(path).text)
    assert post(client, path, csrf=token, **fields).status_code == 303


def test_links_that_do_not_hold_look_the_same(here: Site) -> None:
    used = here.store.write_now(invite, here.now)
    post(here.visitor(), f"/invitation/{used}", name="Ana", password=PASSWORD, again=PASSWORD)
    expired = here.store.write_now(invite, here.now - 10, valid=5.0)
    pages = [here.visitor().get(f"/invitation/{one}") for one in (used, expired, "never-made")]
    assert {one.status_code for one in pages} == {404}
    assert len({one.text for one in pages}) == 1


def test_open_has_nothing_to_sign_in_to(tmp_path: Path) -> None:
    with site(tmp_path, url="http://localhost", open=True) as here:
        client = here.visitor()
        assert client.get("/sign-in").headers["location"] == "/"
        assert post(client, "/sign-in", name="x", password="y").headers["location"] == "/"
        assert client.get("/admin/people").status_code == 200


def test_behind_tls_the_proxy_says_whom_it_serves(tmp_path: Path) -> None:
    """One address behind the proxy is slowed down, another is not; nobody can choose theirs."""
    with site(tmp_path, url="https://rate.example.org") as here:
        here.person("Ana")
        config = server_of(here.app).config
        config.load()
        here.app = config.loaded_app

        def tried(said: str, peer: str = "127.0.0.1", name: str = "Ana") -> int:
            client = here.visitor()
            client._transport.client = (peer, 1)  # type: ignore[attr-defined]
            client.headers["x-forwarded-for"] = said
            return int(post(client, "/sign-in", name=name, password="wrong").status_code)

        assert [tried("192.0.2.1") for _ in range(6)] == [403] * 5 + [429]
        assert tried("10.9.9.9, 192.0.2.1") == 429
        assert tried("192.0.2.2") == 403
        addresses = [f"192.0.2.{n}" for n in range(3, 9)]
        waits = [tried(address, "10.1.1.1", "Ben") for address in addresses]
        assert waits == [403] * 5 + [429]
