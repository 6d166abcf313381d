"""Invitations: links that each make one account, or give one person a new password.

A link holds a random token, of which only a hash is kept: it can be shown once, when it is
made. Opening it changes nothing (mail programs open links); accepting it uses it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, insert, select, update

from assize.web._accounts.names import NameRefused, checked_name, likeness
from assize.web._accounts.people import NotPossible, names_in_use, working_admins
from assize.web._accounts.sessions import LOCAL, begin_session, end_sessions, new_token, token_hash
from assize.web._accounts.viewer import Role
from assize.web._storage.schema import invitations, people

Purpose = Literal["rater", "admin", "password"]
"""What a link makes: an account of a role, or a new password for who it names."""

VALID = 14 * 86400.0  # seconds that a link holds by default
FIRST = 7 * 86400.0  # and the first admin's
_NOT_HELD = (
    "This link does not hold: it was used, has expired, or was taken back. If you have an account,"
    " sign in; if not, ask for a new link."
)


class LinkRefused(NotPossible):
    """A link that makes no account: unknown, used, revoked or expired; all look the same."""


def invite(
    connection: Connection,
    now: float,
    *,
    role: Role = "rater",
    name: str | None = None,
    task: str | None = None,
    made_by: int | None = None,
    valid: float = VALID,
    renew: bool = False,
) -> str:
    """Makes a link.

    Args:
        name: the name that the account will have; None lets them choose one.
        task: name of the task to lead to.
        made_by: the admin, in `people`.
        valid: seconds that the link holds.
        renew: end an open invitation of this name, which is refused otherwise.

    Returns:
        The token that stands in the link, which is kept nowhere.

    Raises:
        NameRefused: the name cannot be taken.
    """
    if name is not None:
        name = checked_name(name, names_in_use(connection))
        earlier = _tokens_of(connection, name, now)
        if earlier and not renew:
            raise NameRefused(
                f"The name {name!r} is taken by an open invitation. Take that link back first, or"
                " replace it with `assize web invite --name`."
            )
        connection.execute(delete(invitations).where(invitations.c.token.in_(earlier)))
    return _make(connection, now, role, name, task, made_by, valid)


def _tokens_of(connection: Connection, name: str, now: float) -> list[str]:
    """The hashes of the open invitations to accounts whose name counts as this one."""
    named = select(invitations.c.token, invitations.c.name).where(
        *_open(now), invitations.c.name.is_not(None), invitations.c.role != "password"
    )
    return [row.token for row in connection.execute(named) if likeness(row.name) == likeness(name)]


def invite_to_new_password(
    connection: Connection,
    person: int,
    now: float,
    *,
    made_by: int | None = None,
    valid: float = VALID,
) -> str:
    """Makes a link by which a person chooses a new password; earlier ones no longer hold.

    Raises:
        NotPossible: there is no such person, or they were deleted.
    """
    name = connection.scalar(
        select(people.c.name).where(people.c.id == person, people.c.deleted.is_(None))
    )
    if name is None or name == LOCAL:
        raise NotPossible("There is nobody here to give a new password to.")
    earlier = (invitations.c.role == "password", invitations.c.name == name)
    connection.execute(delete(invitations).where(*earlier, invitations.c.used_by.is_(None)))
    return _make(connection, now, "password", name, None, made_by, valid)


def first_link(connection: Connection, now: float) -> str | None:
    """The token of a link that makes the first admin; None where there is one already.

    An earlier first link no longer holds.
    """
    if working_admins(connection):
        return None
    connection.execute(
        delete(invitations).where(invitations.c.made_by.is_(None), invitations.c.used_by.is_(None))
    )
    return _make(connection, now, "admin", None, None, None, FIRST)


def invitation_of(connection: Connection, token: str, now: float) -> Row[Any]:
    """Return the open invitation of a link's token, as `open_invitations` has it.

    Raises:
        LinkRefused: there is none that still holds.
    """
    same = _invitations(now).where(invitations.c.token == token_hash(token))
    invitation = connection.execute(same).first()
    if invitation is None:
        raise LinkRefused(_NOT_HELD)
    return invitation


def open_invitations(connection: Connection, now: float) -> Sequence[Row[Any]]:
    """Return the links that have neither been used nor expired, the newest first.

    `id` is the hash of a link's token, `name` None where who is invited may choose it, `task` None
    where the link leads to all tasks, `made_by` the admin's name, None for the first link.
    """
    return connection.execute(_invitations(now)).all()


def revoke(connection: Connection, id: str) -> bool:
    """Takes an invitation back; False where it was used or there is none."""
    gone = delete(invitations).where(invitations.c.token == id, invitations.c.used_by.is_(None))
    return connection.execute(gone).rowcount > 0


def accept(connection: Connection, token: str, name: str, password: str, now: float) -> str:
    """Uses an invitation up: makes the account, or changes the password, and signs in.

    Args:
        name: as chosen; without effect where the invitation names somebody.
        password: hashed.

    Returns:
        The token of a new session.

    Raises:
        LinkRefused: the link does not hold.
        NameRefused: the name cannot be taken.
    """
    found = invitation_of(connection, token, now)
    if found.purpose == "password":
        person = _with_password(connection, cast("str", found.name), password)
    else:
        chosen = checked_name(found.name or name, names_in_use(connection))
        made = connection.execute(
            insert(people).values(
                name=chosen, role=found.purpose, password=password, disabled=False, created=now
            )
        ).inserted_primary_key
        person = int(made[0]) if made is not None else 0
    used = connection.execute(
        update(invitations)
        .where(invitations.c.token == found.id, invitations.c.used_by.is_(None))
        .values(used_by=person)
    )
    if not used.rowcount:
        raise LinkRefused(_NOT_HELD)
    return begin_session(connection, person, now)


def _with_password(connection: Connection, name: str, password: str) -> int:
    person = connection.scalar(
        update(people).where(people.c.name == name).values(password=password).returning(people.c.id)
    )
    if person is None:
        raise LinkRefused("There is no account of this name any more.")
    end_sessions(connection, person)
    return int(person)


def _make(
    connection: Connection,
    now: float,
    purpose: Purpose,
    name: str | None,
    task: str | None,
    made_by: int | None,
    valid: float,
) -> str:
    token = new_token()
    connection.execute(
        insert(invitations).values(
            token=token_hash(token),
            role=purpose,
            name=name,
            task=task,
            made_by=made_by,
            created=now,
            expires=now + valid,
        )
    )
    return token


def _open(now: float) -> Sequence[ColumnElement[bool]]:
    return (invitations.c.used_by.is_(None), invitations.c.expires > now)


def _invitations(now: float) -> Select[Any]:
    i = invitations.c
    columns = (i.token.label("id"), i.role.label("purpose"), i.name, i.task, i.created, i.expires)
    return (
        select(*columns, people.c.name.label("made_by"))
        .join(people, people.c.id == i.made_by, isouter=True)
        .where(*_open(now))
        .order_by(i.created.desc(), i.token)
    )
