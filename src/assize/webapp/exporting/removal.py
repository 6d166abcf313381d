"""A person who asks to be forgotten: all that they answered, said and wrote is taken out.

Where only the name must go, `accounts.people.make_pseudonym` replaces it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, or_, select, update

from assize.webapp.queue.recounting import recount
from assize.webapp.storage.schema import (
    answers,
    assignments,
    chats,
    comments,
    consents,
    items,
    messages,
    participations,
)

_A, _C, _I = assignments.c, comments.c, items.c


@dataclass(frozen=True, slots=True)
class Removed:
    """How much was taken out."""

    assignments: int
    comments: int
    chats: int


def remove_answers(connection: Connection, person: int) -> Removed:
    """Takes out all that a person did: answers with their history, drafts, comments, consents,
    and their chats. The account itself stays.

    Items that they answered are open to others again. A conversation that they had with a
    system is taken out; where others rated it, their ratings stay and its text goes.
    """
    rows = connection.execute(select(_A.id, _A.item, _A.task).where(_A.person == person)).all()
    mine = select(_A.id).where(_A.person == person)
    talks = connection.execute(select(chats.c.id).where(chats.c.person == person)).scalars().all()
    said = connection.execute(
        delete(comments).where(or_(_C.person == person, _C.assignment.in_(mine)))
    )
    connection.execute(delete(messages).where(messages.c.chat.in_(talks)))
    connection.execute(delete(chats).where(chats.c.person == person))
    connection.execute(delete(answers).where(answers.c.assignment.in_(mine)))
    connection.execute(delete(assignments).where(_A.person == person))
    connection.execute(delete(consents).where(consents.c.person == person))
    connection.execute(delete(participations).where(participations.c.person == person))
    _remove_talks(connection, talks)
    touched: dict[int, set[int]] = {}
    for row in rows:
        touched.setdefault(row.task, set()).add(row.item)
    for task, changed in touched.items():
        recount(connection, task, changed)
    return Removed(len(rows), said.rowcount, len(talks))


def _remove_talks(connection: Connection, talks: Sequence[str]) -> None:
    """Takes out the items that a person's chats became."""
    theirs = (_I.key.in_(talks), _I.origin == "collected")
    rated = select(_A.id).where(_A.item == _I.id).exists()
    for item, key, is_rated in connection.execute(
        select(_I.id, _I.key, rated).where(*theirs)
    ).all():
        if is_rated:
            gone = {"id": key, "turns": []}
            connection.execute(
                update(items).where(_I.id == item).values(record=gone, removed=True, open=False)
            )
        else:
            connection.execute(delete(items).where(_I.id == item))
