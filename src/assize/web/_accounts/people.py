"""The people of a project: their roles, and what happens when they leave."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, or_, select, update

from assize.base.errors import DataError
from assize.web._accounts.names import GONE
from assize.web._accounts.sessions import LOCAL, end_sessions
from assize.web._accounts.viewer import Role
from assize.web._storage.schema import assignments, people, sessions


class NotPossible(DataError):
    """Something that accounts do not allow; the text says why."""


def listed(connection: Connection) -> Sequence[Row[Any]]:
    """Return everybody, those who were deleted last, then by name.

    `seen` is when they signed in last, as far as that session is still known, `done` how many
    assignments they have submitted, `password` a hash or None.
    """
    return connection.execute(_people()).all()


def person_of(connection: Connection, id: int) -> Row[Any] | None:
    """Return the person of a number; None where there is none."""
    return connection.execute(_people(people.c.id == id)).first()


def by_name(connection: Connection, name: str) -> Row[Any] | None:
    """Return the person of a name that was typed, in capitals or not."""
    typed = unicodedata.normalize("NFKC", name).strip()
    same = or_(people.c.name == typed, func.lower(people.c.name) == typed.lower())
    return connection.execute(_people(same, people.c.deleted.is_(None))).first()


def _people(*where: ColumnElement[bool]) -> Select[Any]:
    seen = select(func.max(sessions.c.created)).where(sessions.c.person == people.c.id)
    done = select(func.count()).where(
        assignments.c.person == people.c.id, assignments.c.state == "done"
    )
    return (
        select(people, seen.scalar_subquery().label("seen"), done.scalar_subquery().label("done"))
        .where(*where)
        .order_by(people.c.deleted.is_not(None), func.lower(people.c.name))
    )


def names_in_use(connection: Connection) -> Sequence[str]:
    """The names of everybody, with the pseudonyms of who was deleted."""
    return connection.scalars(select(people.c.name)).all()


def working_admins(connection: Connection) -> int:
    """How many admins can sign in."""
    return connection.scalar(select(func.count()).where(*_WORKING)) or 0


_WORKING = (
    people.c.role == "admin",
    people.c.disabled.is_(False),
    people.c.deleted.is_(None),
    people.c.password.is_not(None),
)


def set_role(connection: Connection, person: int, role: Role) -> None:
    """Makes somebody a rater or an admin.

    Raises:
        NotPossible: there is no such person, or nobody would be left to lead.
    """
    _change(connection, person, role=role)
    _keep_an_admin(connection)


def set_disabled(connection: Connection, person: int, disabled: bool) -> None:
    """Shuts somebody out, and ends their sessions, or lets them in again.

    Raises:
        NotPossible: there is no such person, or nobody would be left to lead.
    """
    _change(connection, person, disabled=disabled)
    if disabled:
        end_sessions(connection, person)
    _keep_an_admin(connection)


def set_password(connection: Connection, person: int, password: str) -> None:
    """Keeps another password.

    Args:
        password: hashed.

    Raises:
        NotPossible: there is no such person.
    """
    _change(connection, person, password=password)


def make_pseudonym(connection: Connection, person: int, now: float) -> str:
    """Replaces the name of somebody who leaves, and shuts the account for good.

    Returns:
        The pseudonym.

    Raises:
        NotPossible: there is no such person, or nobody would be left to lead.
    """
    pseudonym = GONE + secrets.token_hex(4)
    _change(connection, person, name=pseudonym, password=None, disabled=True, deleted=now)
    end_sessions(connection, person)
    _keep_an_admin(connection)
    return pseudonym


def _change(connection: Connection, person: int, **values: object) -> None:
    changed = connection.execute(
        update(people)
        .where(people.c.id == person, people.c.deleted.is_(None), people.c.name != LOCAL)
        .values(**values)
    )
    if not changed.rowcount:
        raise NotPossible("There is no such person, or they have left.")


def _keep_an_admin(connection: Connection) -> None:
    if not working_admins(connection):
        raise NotPossible("Nobody would be left to lead. Make somebody else an admin first.")
