"""Leaving: a person's name goes, and their answers with it or under a pseudonym."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, and_, delete, exists, or_, select, update

from assize.web._accounts.people import make_pseudonym, person_of
from assize.web._queue.assignment import State, select_assignments, to_assignment
from assize.web._queue.counts import update_assignment
from assize.web._queue.written import WROTE
from assize.web._storage.schema import (
    answers,
    assignments,
    chats,
    comments,
    consents,
    discussions,
    invitations,
    items,
    messages,
    qualifications,
)

Fate = Literal["keep", "remove"]
"""What becomes of the answers of who leaves: kept under a pseudonym, or removed."""


def leave(connection: Connection, person: int, now: float, fate: Fate) -> str:
    """Deletes an account; nothing that is kept names the person.

    What they had not submitted goes in any case, and others get those items. With `remove`
    every answer, comment, chat and consent goes too, and so does what they wrote. What they
    settled in discussions stays, and so does a conversation, collected or written, that others
    have rated or read by then: all under the pseudonym.

    Returns:
        The pseudonym.

    Raises:
        NotPossible: there is no such person, or nobody would be left to lead.
    """
    before = person_of(connection, person)
    pseudonym = make_pseudonym(connection, person, now)
    name = "" if before is None else before.name
    connection.execute(update(invitations).where(invitations.c.name == name).values(name=None))
    made = _items_made(connection, person)
    _give_back(connection, person, ("reserved",) if fate == "keep" else _HELD)
    if fate == "remove":
        _remove_work(connection, person)
        _remove_items(connection, [row.id for row in made])
    _rename(connection, made, name, pseudonym)
    return pseudonym


_HELD: tuple[State, ...] = ("reserved", "done", "skipped")


def _give_back(connection: Connection, person: int, states: Sequence[State]) -> None:
    """Withdraw assignments, so that others get the items, and forget all drafts."""
    a = assignments.c
    mine = select_assignments().where(a.person == person, a.state.in_(states))
    for row in connection.execute(mine).all():
        update_assignment(connection, to_assignment(row), state="withdrawn", reserved_until=None)
    connection.execute(update(assignments).where(a.person == person).values(draft=None))


def _remove_work(connection: Connection, person: int) -> None:
    mine = select(assignments.c.id).where(assignments.c.person == person)
    talks = select(chats.c.id).where(chats.c.person == person)
    connection.execute(delete(messages).where(messages.c.chat.in_(talks)))
    connection.execute(delete(chats).where(chats.c.person == person))
    connection.execute(delete(comments).where(comments.c.person == person))
    connection.execute(
        update(comments).where(comments.c.assignment.in_(mine)).values(assignment=None)
    )
    connection.execute(delete(answers).where(answers.c.assignment.in_(mine)))
    for table in (assignments, qualifications, consents):
        connection.execute(delete(table).where(table.c.person == person))


def _items_made(connection: Connection, person: int) -> Sequence[Row[Any]]:
    """Items that somebody's chats became, and what they wrote where others are to proofread it."""
    a, i = assignments.c, items.c
    asked: Select[Any] = (
        select(i.id, i.record)
        .join(assignments, a.item == i.id)
        .outerjoin(chats, chats.c.assignment == a.id)
        .where(
            or_(
                and_(chats.c.person == person, i.origin == "collected"),
                and_(a.person == person, a.chosen == WROTE),
            )
        )
    )
    return connection.execute(asked).all()


def _remove_items(connection: Connection, numbers: Sequence[int]) -> None:
    """Removes conversations that nobody else has to do with."""
    used = or_(
        exists().where(assignments.c.item == items.c.id),
        exists().where(discussions.c.item == items.c.id),
        exists().where(comments.c.item == items.c.id),
    )
    connection.execute(delete(items).where(items.c.id.in_(numbers), ~used))


def _rename(connection: Connection, made: Sequence[Row[Any]], name: str, pseudonym: str) -> None:
    """Writes the pseudonym where a conversation says who talked."""
    for row in made:
        about = row.record.get("metadata") or {}
        changed = {key: pseudonym if value == name else value for key, value in about.items()}
        if changed != about:
            record = {**row.record, "metadata": changed}
            connection.execute(update(items).where(items.c.id == row.id).values(record=record))
