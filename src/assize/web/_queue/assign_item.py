"""Give an item to a rater, keep it for them, and take it back when its time is over."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, insert, select

from assize.base.judgment import Order
from assize.web._queue.assignment import (
    Assignment,
    find_assignment,
    select_assignments,
    to_assignment,
)
from assize.web._queue.choose_item import Choice
from assize.web._queue.counts import recount, update_assignment
from assize.web._queue.participant import Participant
from assize.web._queue.seeded import seeded_uniform
from assize.web._storage.schema import assignments, items
from assize.web._tasks.definition import Task
from assize.web._tasks.kinds import kind_of

_A, _I = assignments.c, items.c
_ITEM = select(_I.key, _I.suggestion).where(_I.id == bindparam("of_item"))
_SAME = select_assignments().where(
    _A.item == bindparam("of_item"), _A.person == bindparam("rater"), _A.repeat == bindparam("nth")
)
_OVER = select_assignments().where(
    _A.task == bindparam("in_task"), _A.state == "reserved", _A.reserved_until < bindparam("now")
)
_INSERT = insert(assignments).returning(_A.id)


def assign_item(
    connection: Connection,
    task: Task,
    rater: Participant,
    choice: Choice,
    now: float,
    *,
    repeat: int = 0,
    keep: bool = False,
) -> Assignment:
    """Reserve an item for a rater who does not hold it.

    An assignment that expired or was withdrawn is taken up again, with its draft and history.

    Args:
        repeat: of a qualification, its attempt, from 0; else 0.
        keep: the reservation has no end.
    """
    item = connection.execute(_ITEM, {"of_item": choice.item}).one()
    reserved = {
        "draw": rater.draws,
        "state": "reserved",
        "chosen": choice.chosen,
        "order": _shown_order(task, rater, item.key),
        "version": rater.version,
        "pilot": task.pilot,
        "touched": now,
        "reserved_until": None if keep else reservation_end(task, now),
    }
    same = {"of_item": choice.item, "rater": rater.person, "nth": repeat}
    row = connection.execute(_SAME, same).first()
    if row is not None:
        return update_assignment(connection, to_assignment(row), **reserved)
    created = {
        "task": rater.task,
        "item": choice.item,
        "person": rater.person,
        "repeat": repeat,
        "created": now,
        "suggestion": item.suggestion if task.suggestions is not None else None,
    }
    made = connection.execute(_INSERT, {**created, **reserved}).scalar_one()
    recount(connection, [choice.item])
    assignment = find_assignment(connection, made)
    assert assignment is not None
    return assignment


def reservation_end(task: Task, now: float) -> float:
    """Return when a reservation made now ends."""
    return now + task.reserve_minutes * 60


def _shown_order(task: Task, rater: Participant, key: str) -> Order | None:
    """Return the order of a pair's sides for a rater."""
    exchanged = kind_of(task).paired and seeded_uniform(task.seed, "side", rater.person, key) < 0.5
    return "BA" if exchanged else None


def resume_assignment(
    connection: Connection, task: Task, rater: Participant, now: float
) -> Assignment | None:
    """Return the first assignment that a rater left open, reserved for them anew."""
    before = None if rater.opened is None else find_assignment(connection, rater.opened)
    if before is None:
        return None
    until = None if before.reserved_until is None else reservation_end(task, now)
    return update_assignment(
        connection,
        before,
        reserved_until=until,
        touched=now,
        version=rater.version,
        pilot=task.pilot,
    )


def expire_assignments(connection: Connection, task: int, now: float) -> int:
    """Take back the reservations whose time is over, and return how many; drafts are kept."""
    rows = connection.execute(_OVER, {"in_task": task, "now": now}).all()
    for row in rows:
        update_assignment(connection, to_assignment(row), state="expired")
    return len(rows)
