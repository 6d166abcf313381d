"""People, their roles, and that somebody is always left to lead."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection
from tests.web.accounts.conftest import NOW, AddPerson

from assize.web._accounts.people import (
    NotPossible,
    by_name,
    listed,
    make_pseudonym,
    person_of,
    set_disabled,
    set_password,
    set_role,
    working_admins,
)
from assize.web._accounts.sessions import begin_session, viewer_of


def test_the_list_is_by_name_and_ends_with_who_left(
    connection: Connection, add: AddPerson, ana: int
) -> None:
    add("lea", "admin")
    add("Ben")
    make_pseudonym(connection, ana, NOW)
    names = [one.name for one in listed(connection)]
    assert names[:2] == ["Ben", "lea"]
    assert names[2].startswith("deleted-")


def test_the_list_tells_when_somebody_was_there(connection: Connection, ana: int) -> None:
    assert listed(connection)[0].seen is None
    begin_session(connection, ana, NOW + 5)
    assert listed(connection)[0].seen == NOW + 5


def test_a_typed_name_is_found_in_capitals_or_not(connection: Connection, add: AddPerson) -> None:
    ana, zoe = add("Ana"), add("Zoë")
    for name, found in (("Ana", ana), (" ANA ", ana), ("Zoe\u0308", zoe)):
        person: Any = by_name(connection, name)
        assert person.id == found
    assert by_name(connection, "") is None
    assert by_name(connection, "%") is None


def test_somebody_is_always_left_to_lead(connection: Connection, add: AddPerson, lea: int) -> None:
    add("Ben", "admin", None)  # has no password, so cannot sign in
    for change in (
        lambda: set_role(connection, lea, "rater"),
        lambda: set_disabled(connection, lea, True),
        lambda: make_pseudonym(connection, lea, NOW),
    ):
        savepoint = connection.begin_nested()
        with pytest.raises(NotPossible, match="Nobody would be left"):
            change()
        savepoint.rollback()
    assert working_admins(connection) == 1
    add("Mia", "admin")
    set_role(connection, lea, "rater")


def test_a_pseudonym_takes_the_name_the_password_and_the_sessions(
    lea: int, connection: Connection, ana: int
) -> None:
    token = begin_session(connection, ana, NOW)
    pseudonym = make_pseudonym(connection, ana, NOW + 1)
    found: Any = person_of(connection, ana)
    assert (found.name, found.password, found.disabled, found.deleted) == (
        pseudonym,
        None,
        True,
        NOW + 1,
    )
    assert viewer_of(connection, token, NOW + 1) is None
    assert by_name(connection, "Ana") is None
    assert by_name(connection, pseudonym) is None


def test_who_left_and_who_never_was_cannot_be_changed(
    lea: int, connection: Connection, add: AddPerson, ana: int
) -> None:
    local = add("local", "admin", None)
    make_pseudonym(connection, ana, NOW)
    for person in (ana, local, 99):
        with pytest.raises(NotPossible, match="no such person"):
            set_password(connection, person, "hash")
        with pytest.raises(NotPossible, match="no such person"):
            set_disabled(connection, person, False)
