"""Editions of items: what stood there when people answered, where an item was changed since.

A rater always sees an item as it is now. When its record changes after somebody was given it, the
record before is kept as an edition, and the answers that were given to it name that edition; an
answer that names none is of the item as it is. So an answer is never read against a text, or
against a judge's labels, that the person did not see.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from assize.signature import json_hash
from assize.webapp.queue.assignment import Assignment, Stale
from assize.webapp.storage.schema import answers, assignments, discussions, item_editions, items

_A, _D, _E, _H = assignments.c, discussions.c, item_editions.c, answers.c

ANSWERED = func.coalesce(_E.record, items.c.record)
"""The record that was answered, where `item_editions` is joined, outer, by the edition of
`answers` or `discussions`."""


class Reworded(Stale):
    """It was given to an item as it stood before; it stands otherwise now."""


def stamp(record: Mapping[str, Any]) -> str:
    """Tells the editions of an item apart: a form sends back the one that it was shown with.

    >>> stamp({"id": "c", "turns": []}) == stamp({"turns": [], "id": "c"})
    True
    """
    return json_hash(record)


def changed_since(connection: Connection, one: Assignment) -> bool:
    """Whether an item was changed after it was last answered or skipped, be it undone or not."""
    if one.revision == 0:
        return False
    asked = (
        select(_H.edition)
        .where(_H.assignment == one.id, _H.event.in_(("submit", "skip")))
        .order_by(_H.number.desc())
        .limit(1)
    )
    return connection.execute(asked).scalar_one() is not None


def keep_edition(connection: Connection, item: int, before: Any, after: Any, until: float) -> None:
    """Keeps what an item said until now, for all that was answered and settled of it.

    Where the item says again what it said once, the answers of then belong to it as it is.

    Args:
        item: its number; before, after: its record until now, and from now on.
    """
    number = _added(connection, item, before, until)
    connection.execute(update(item_editions).where(_E.id == number).values(until=until))
    mine = select(_A.id).where(_A.item == item)
    connection.execute(
        update(answers).where(_H.assignment.in_(mine), _H.edition.is_(None)).values(edition=number)
    )
    connection.execute(
        update(discussions)
        .where(_D.item == item, _D.state == "settled", _D.edition.is_(None))
        .values(edition=number)
    )
    back = _same(connection, item, after)
    if back is not None:
        for table in (answers, discussions):
            connection.execute(update(table).where(table.c.edition == back).values(edition=None))


def _added(connection: Connection, item: int, record: Any, until: float) -> int:
    """The id of an edition with this record: the one there is, or a new one."""
    there = _same(connection, item, record)
    if there is not None:
        return there
    last = connection.scalar(select(func.max(_E.number)).where(_E.item == item)) or 0
    made = insert(item_editions).values(item=item, number=last + 1, record=record, until=until)
    return int(connection.execute(made.returning(_E.id)).scalar_one())


def _same(connection: Connection, item: int, record: Any) -> int | None:
    """The id of the item's edition that says this; None where none does."""
    rows = connection.execute(select(_E.id, _E.record).where(_E.item == item))
    return next((row.id for row in rows if row.record == record), None)
