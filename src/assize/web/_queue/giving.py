"""Giving an item to a person, keeping it for them, and taking it back when its time is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from assize.base.judgment import Order
from assize.web._queue.assignment import Assignment, Chosen, assignment_of, selected
from assize.web._queue.chance import chance
from assize.web._queue.counters import counted, take
from assize.web._queue.standing import Standing
from assize.web._storage.schema import assignments, items
from assize.web._tasks.definition import Task
from assize.web._tasks.kinds import kind_of

SWEPT = 100  # reservations that one step takes back, at most

_A, _I = assignments.c, items.c
_ITEM = select(_I.key, _I.purpose, _I.record, _I.suggestion).where(_I.id == bindparam("of_item"))
_OPENED = selected().where(_A.id == bindparam("the"), _A.state == "reserved")
_OVER = (
    selected()
    .where(_A.task == bindparam("in_task"), _A.state == "reserved")
    .where(_A.reserved_until < bindparam("now"))
    .limit(SWEPT)
)
_ONE = update(assignments).where(_A.id == bindparam("the"))


def _reserving(dialect: Any) -> Any:
    """Makes an assignment, or takes up the one that ran out or was taken back."""
    made = dialect.insert(assignments)
    again = (
        "draw",
        "state",
        "chosen",
        "order",
        "version",
        "pilot",
        "touched",
        "reserved_until",
    )
    return made.on_conflict_do_update(
        index_elements=["item", "person", "repeat"],
        set_={name: made.excluded[name] for name in again},
    ).returning(_A.id, _A.revision, _A.seconds, _A.draft, _A.suggestion, _A.created)


_RESERVE = {"sqlite": _reserving(sqlite), "postgresql": _reserving(postgresql)}


def give(
    connection: Connection,
    task: Task,
    found: Standing,
    item: int,
    chosen: Chosen,
    now: float,
    *,
    repeat: int = 0,
    keep: bool = False,
    taken: Row[Any] | None = None,
) -> Assignment | None:
    """Reserves an item for a person who does not hold it; None where it was full by then.

    Args:
        repeat: of a qualification, its attempt, from 0; else 0.
        keep: whether it stays theirs however long they take.
        taken: what `take` gave, where it was taken already.
    """
    if taken is not None:
        row: Any = taken
    elif chosen in ("gold", "qualify"):
        row = connection.execute(_ITEM, {"of_item": item}).first()
    else:
        row = take(connection, task, item)
    if row is None:
        return None
    order: Order | None = "BA" if _exchanged(task, found, row.key) else None
    until = None if keep else now + task.reserve_minutes * 60
    proposed = row.suggestion if task.suggestions is not None else None
    made = connection.execute(
        _RESERVE[connection.dialect.name],
        {
            "task": found.task,
            "item": item,
            "person": found.person,
            "repeat": repeat,
            "draw": found.draws,
            "state": "reserved",
            "chosen": chosen,
            "order": order,
            "revision": 0,
            "version": found.version,
            "pilot": task.pilot,
            "created": now,
            "touched": now,
            "reserved_until": until,
            "submitted": None,
            "seconds": 0.0,
            "draft": None,
            "suggestion": proposed,
        },
    ).one()
    return Assignment(
        made.id,
        found.task,
        item,
        row.key,
        found.person,
        row.record,
        row.purpose,
        "reserved",
        chosen,
        repeat,
        order,
        made.revision,
        found.version,
        until,
        None,
        made.seconds,
        made.draft,
        made.suggestion,
        now,
        new=made.created == now and made.revision == 0,
    )


def _exchanged(task: Task, found: Standing, key: str) -> bool:
    """Whether sides are shown exchanged."""
    if not kind_of(task).paired:
        return False
    return chance(task.seed, "side", found.person, key) < 0.5


def left_open(connection: Connection, task: Task, found: Standing, now: float) -> Assignment | None:
    """What a person was given first and has not answered, kept for them anew."""
    if found.opened is None:
        return None
    row = connection.execute(_OPENED, {"the": found.opened}).first()
    if row is None:  # it ran out in this moment
        return None
    one = assignment_of(row)
    until = None if one.reserved_until is None else now + task.reserve_minutes * 60
    connection.execute(
        _ONE,
        {
            "the": one.id,
            "reserved_until": until,
            "touched": now,
            "version": found.version,
            "pilot": task.pilot,
        },
    )
    return replace(one, reserved_until=until, version=found.version, touched=now)


def expire(connection: Connection, task: Task, number: int, now: float) -> int:
    """Takes back reservations whose time is over; how many. Their drafts are kept."""
    rows = connection.execute(_OVER, {"in_task": number, "now": now}).all()
    for one in map(assignment_of, rows):
        counted(connection, task, one, "expired")
        connection.execute(_ONE, {"the": one.id, "state": "expired"})
    return len(rows)
