"""A session is a random token, kept as a hash, that ends."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, event, select, update
from tests.web.accounts.conftest import NOW, AddPerson

from assize.web._accounts.sessions import (
    IDLE,
    LOCAL,
    LONGEST,
    RENEWED,
    begin_session,
    end_session,
    end_sessions,
    ensure_local,
    local_viewer,
    renew_session,
    viewer_of,
)
from assize.web._storage.schema import people, sessions


@pytest.fixture
def token(connection: Connection, add: AddPerson) -> str:
    """Of a session of Ana."""
    return begin_session(connection, add("Ana"), NOW)


def test_tokens_and_form_tokens_are_never_the_same_twice(connection: Connection, ana: int) -> None:
    tokens = [begin_session(connection, ana, NOW) for _ in range(3)]
    forms = connection.scalars(select(sessions.c.csrf)).all()
    assert len({*tokens, *forms}) == 6
    assert min(map(len, (*tokens, *forms))) >= 43  # 256 bits, six a character


def test_the_database_holds_no_token(connection: Connection, token: str) -> None:
    stored = connection.execute(select(sessions)).one()
    assert token not in map(str, stored)
    assert viewer_of(connection, stored.token, NOW) is None


def test_asking_who_looks_is_one_query(connection: Connection, token: str) -> None:
    said: list[str] = []
    event.listen(
        connection, "before_cursor_execute", lambda _, __, statement, *rest: said.append(statement)
    )
    assert viewer_of(connection, token, NOW) is not None
    assert len(said) == 1
    assert said[0].startswith("SELECT")
    plan = connection.exec_driver_sql(
        f"EXPLAIN QUERY PLAN {said[0]}", ("",) * said[0].count("?")
    ).all()
    assert all("SEARCH" in row[3] for row in plan)


def test_a_token_that_was_never_given_is_nobody(connection: Connection, token: str) -> None:
    for other in ("", "x", "\ud800", "a" * 100_000, "' OR 1=1 --", f"{token}x"):
        assert viewer_of(connection, other, NOW) is None


def test_a_session_ends_when_it_is_not_used(connection: Connection, token: str) -> None:
    assert viewer_of(connection, token, NOW + IDLE - 1) is not None
    assert viewer_of(connection, token, NOW + IDLE) is None


def test_a_session_in_use_is_renewed_now_and_then(connection: Connection, token: str) -> None:
    soon: Any = viewer_of(connection, token, NOW + RENEWED - 1)
    later: Any = viewer_of(connection, token, NOW + RENEWED + 1)
    assert (soon.renew, later.renew) == (False, True)
    renew_session(connection, token, NOW + RENEWED + 1)
    assert viewer_of(connection, token, NOW + IDLE + RENEWED) is not None


def test_a_session_ends_even_if_it_is_used(connection: Connection, token: str) -> None:
    at = NOW
    while at < NOW + LONGEST:
        renew_session(connection, token, at)
        at += IDLE / 2
    last: Any = viewer_of(connection, token, NOW + LONGEST - 1)
    assert not last.renew
    assert viewer_of(connection, token, NOW + LONGEST) is None


def test_what_has_ended_cannot_be_renewed(connection: Connection, token: str) -> None:
    renew_session(connection, token, NOW + IDLE + 1)
    assert viewer_of(connection, token, NOW + IDLE + 1) is None


def test_signing_out_elsewhere_leaves_this_session_and_others(
    connection: Connection, add: AddPerson
) -> None:
    ana, ben = add("Ana"), add("Ben")
    here, there = begin_session(connection, ana, NOW), begin_session(connection, ana, NOW)
    bens = begin_session(connection, ben, NOW)

    def seen() -> list[bool]:
        return [viewer_of(connection, one, NOW) is not None for one in (here, there, bens)]

    assert end_sessions(connection, ana, but=here) == 1
    assert seen() == [True, False, True]
    end_session(connection, here)
    assert seen() == [False, False, True]


def test_who_is_disabled_is_nobody_at_once(connection: Connection, token: str) -> None:
    connection.execute(update(people).values(disabled=True))
    assert viewer_of(connection, token, NOW) is None


def test_sessions_that_have_ended_are_swept_away(connection: Connection, ana: int) -> None:
    begin_session(connection, ana, NOW)
    begin_session(connection, ana, NOW + IDLE + 1)
    assert len(connection.execute(select(sessions)).all()) == 1


def test_the_local_user_is_one_admin_without_a_password(connection: Connection) -> None:
    ensure_local(connection, NOW)
    ensure_local(connection, NOW + 1)
    assert local_viewer(connection, "form").is_admin
    assert connection.execute(select(people.c.name, people.c.password)).all() == [(LOCAL, None)]
