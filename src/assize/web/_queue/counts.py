"""Writing assignments, and the counts of their items that follow from them.

An item is open while fewer than `raters_per_item` raters have it (`taken`: reserved or done), and
no more than that many have skipped it: a skipped item goes to another rater, but not on and on.
Gold items and those of the qualification need no overlap and stay open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, not_, or_, select, update

from assize.web._queue.assignment import Assignment, Gone, State
from assize.web._storage.schema import assignments, items, tasks

_A, _I, _T = assignments.c, items.c, tasks.c


def _count(*states: State) -> Any:
    mine = (_A.item == _I.id, or_(*(_A.state == state for state in states)))
    return select(func.count()).select_from(assignments).where(*mine).scalar_subquery()


# Statements are built once: building one takes longer than running it.
_TAKEN, _DONE, _SKIPPED = _count("reserved", "done"), _count("done"), _count("skipped")
_WANTED = select(_T.wanted).where(_T.id == _I.task).scalar_subquery()


def _is_open(taken: Any, skipped: Any) -> Any:
    has_room = and_(taken < _WANTED, skipped <= _WANTED)
    return and_(not_(_I.removed), or_(_I.purpose != "rate", has_room))


_RECOUNT = (
    update(items)
    .where(_I.id == bindparam("the"))
    .values(taken=_TAKEN, done=_DONE, skipped=_SKIPPED, open=_is_open(_TAKEN, _SKIPPED))
)
_REOPEN = (
    update(items)
    .where(_I.task == bindparam("the"), _I.open != _is_open(_I.taken, _I.skipped))
    .values(open=_is_open(_I.taken, _I.skipped))
)
_ROOM = select(_I.id).where(_I.id == bindparam("the"), not_(_I.removed), _I.taken < _WANTED)
_WRITE = update(assignments).where(_A.id == bindparam("the"))


def update_assignment(connection: Connection, before: Assignment, **changes: Any) -> Assignment:
    """Write changes of an assignment, and the counts of its item.

    Raises:
        Gone: the item would be taken once more, and as many raters as wanted have it.
    """
    after = replace(before, **changes)
    if after.takes_item and not before.takes_item and not has_room(connection, after.item):
        raise Gone("others have this item by now, or it is closed; your answer was not taken")
    connection.execute(_WRITE, {"the": after.id, **changes})
    if after.state != before.state:
        recount(connection, [after.item])
    return after


def has_room(connection: Connection, item: int) -> bool:
    """Whether one more rater may have an item."""
    return connection.execute(_ROOM, {"the": item}).first() is not None


def recount(connection: Connection, item_ids: Iterable[int]) -> None:
    """Count the assignments of items again, and open or close the items accordingly."""
    rows = [{"the": item} for item in item_ids]
    if rows:
        connection.execute(_RECOUNT, rows)


def reopen(connection: Connection, task: int) -> None:
    """Open and close the items of a task whose `raters_per_item` may have changed."""
    connection.execute(_REOPEN, {"the": task})
