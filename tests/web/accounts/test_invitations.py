"""A link makes one account, once, while it holds."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, select, update
from tests.web.accounts.conftest import NOW, AddPerson

from assize.web._accounts.invitations import (
    FIRST,
    VALID,
    LinkRefused,
    accept,
    first_link,
    invitation_of,
    invite,
    invite_to_new_password,
    open_invitations,
    revoke,
)
from assize.web._accounts.names import NameRefused
from assize.web._accounts.people import NotPossible
from assize.web._storage.schema import invitations, people


def test_a_link_expires(connection: Connection) -> None:
    token = invite(connection, NOW)
    invitation_of(connection, token, NOW + VALID - 1)
    with pytest.raises(LinkRefused):
        accept(connection, token, "Ana", "hash", NOW + VALID)


def test_a_link_is_listed_without_its_token_and_can_be_taken_back(
    connection: Connection, lea: int
) -> None:
    token = invite(connection, NOW, name="Ana", task="chats", made_by=lea, valid=60.0)
    (listed,) = open_invitations(connection, NOW)
    about = (listed.purpose, listed.name, listed.task, listed.made_by)
    assert about == ("rater", "Ana", "chats", "Lea")
    assert (listed.created, listed.expires) == (NOW, NOW + 60)
    assert revoke(connection, listed.id)
    assert not revoke(connection, listed.id)
    with pytest.raises(LinkRefused):
        invitation_of(connection, token, NOW)


def test_a_link_that_was_used_cannot_be_taken_back(connection: Connection) -> None:
    token = invite(connection, NOW)
    (listed,) = open_invitations(connection, NOW)
    accept(connection, token, "Ana", "hash", NOW)
    assert not revoke(connection, listed.id)


@pytest.mark.parametrize("token", ["", "x", "' OR '1'='1", "\ud800", "../../etc/passwd"])
def test_a_token_that_was_never_given_makes_no_account(connection: Connection, token: str) -> None:
    invite(connection, NOW)
    with pytest.raises(LinkRefused):
        accept(connection, token, "Ana", "hash", NOW)


def test_the_database_holds_no_token(connection: Connection) -> None:
    token = invite(connection, NOW)
    (stored,) = connection.execute(select(invitations)).all()
    assert token not in map(str, stored)
    with pytest.raises(LinkRefused):
        invitation_of(connection, stored.token, NOW)


def test_a_name_is_promised_to_one(connection: Connection, add: AddPerson) -> None:
    add("Ben")
    invite(connection, NOW, name="Ana")
    for name in ("ana", "ben", "gold"):
        with pytest.raises(NameRefused):
            invite(connection, NOW, name=name)
    with pytest.raises(NameRefused, match="by an open invitation"):
        invite(connection, NOW, name="ana")
    invite(connection, NOW + VALID, name="ana")


def test_a_renewed_link_ends_the_earlier_one_of_its_name(connection: Connection) -> None:
    invite(connection, NOW, name="Ben")
    earlier, later = (invite(connection, NOW, name=name, renew=True) for name in ("Ana", "ANA"))
    assert [row.name for row in open_invitations(connection, NOW)].count("Ben") == 1
    with pytest.raises(LinkRefused):
        invitation_of(connection, earlier, NOW)
    assert invitation_of(connection, later, NOW).name == "ANA"


def test_the_first_link_makes_an_admin(connection: Connection) -> None:
    token: Any = first_link(connection, NOW)
    accept(connection, token, "Lea", "hash", NOW)
    assert connection.execute(select(people.c.name, people.c.role)).all() == [("Lea", "admin")]
    assert first_link(connection, NOW) is None


def test_another_first_link_ends_the_one_before(connection: Connection) -> None:
    links: list[Any] = [first_link(connection, NOW) for _ in range(2)]
    with pytest.raises(LinkRefused):
        invitation_of(connection, links[0], NOW)
    assert invitation_of(connection, links[1], NOW).expires == NOW + FIRST


def test_a_first_link_comes_again_where_no_admin_can_sign_in(
    connection: Connection, add: AddPerson
) -> None:
    add("Ben")
    add("local", "admin", None)
    assert first_link(connection, NOW) is not None
    lea = add("Lea", "admin")
    assert first_link(connection, NOW) is None
    connection.execute(update(people).where(people.c.id == lea).values(disabled=True))
    assert first_link(connection, NOW) is not None


def test_a_second_link_to_a_new_password_ends_the_first(
    connection: Connection, lea: int, ana: int
) -> None:
    first = invite_to_new_password(connection, ana, NOW, made_by=lea)
    invite_to_new_password(connection, ana, NOW, made_by=lea)
    with pytest.raises(LinkRefused):
        accept(connection, first, "", "hash", NOW)


def test_nobody_gets_no_new_password(connection: Connection, add: AddPerson, lea: int) -> None:
    local = add("local", "admin", None)
    for person in (local, 99):
        with pytest.raises(NotPossible):
            invite_to_new_password(connection, person, NOW, made_by=lea)
