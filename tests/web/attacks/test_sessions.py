"""Sessions at a running server: not planted, not kept, not guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.accounts.clients import PASSWORD
from tests.web.accounts.projects import write_project
from tests.web.attacks.world import World, csrf, running

NEW = "five other plain old words"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("small")
    write_project(folder)
    with running(folder) as found:
        yield found


def test_a_planted_session_is_never_anybodys(small: World) -> None:
    """The attacker's browser shares the token that the victim had before signing in."""
    small.token("Ana")
    with small.visitor() as victim, small.visitor() as attacker:
        for client in (victim, attacker):
            client.cookies.set("assize", "planted-by-a-stranger")
        answer = victim.post("/sign-in", data={"name": "Ana", "password": PASSWORD})
        assert answer.status_code == 303
        token: Any = re.search(r"assize=([^;]+)", answer.headers["set-cookie"])
        assert token[1] != "planted-by-a-stranger"
        assert attacker.get("/me").status_code == 303


def test_a_session_of_ones_own_cannot_be_planted(small: World) -> None:
    """The victim signs in over the attacker's session: it ends, and is not taken over."""
    small.token("Ana")
    planted = small.token("Eve")
    with small.visitor() as victim, small.visitor("Eve") as attacker:
        victim.cookies.set("assize", planted)
        victim.post("/sign-in", data={"name": "Ana", "password": PASSWORD})
        assert attacker.get("/me").status_code == 303
    small.tokens.clear()


def test_tokens_of_forms_change_with_the_session(small: World) -> None:
    with small.visitor("Ben") as client:
        before = csrf(client)
        client.cookies.clear()
        client.post("/sign-in", data={"name": "Ben", "password": PASSWORD})
        assert csrf(client) != before


def test_what_has_ended_stays_ended(small: World) -> None:
    """A cookie that was copied is worth nothing after the owner signed out or changed passwords."""
    for path, fields in (
        ("/sign-out", {}),
        ("/me/password", {"present": PASSWORD, "password": NEW, "again": NEW}),
    ):
        small.tokens.clear()
        with small.visitor("Cleo") as thief, small.visitor("Cleo") as owner:
            owner.cookies.clear()
            owner.post("/sign-in", data={"name": "Cleo", "password": PASSWORD})
            stolen = owner.cookies["assize"]
            if path == "/sign-out":
                thief.cookies.set("assize", stolen)
            owner.post(path, data={"csrf": csrf(owner), **fields})
            assert thief.get("/me").status_code == 303


def test_no_page_shows_a_token_of_a_session_or_a_hash(small: World) -> None:
    token = small.token("Lea", "admin")
    kept = [row[0] for row in small.state()["sessions"]]
    hashes = [row[3] for row in small.state()["people"]]
    for path, answer in small.crawled("Lea", "admin").pages.items():
        for secret in (token, *kept, *hashes):
            assert secret not in answer.text, path
