"""What a lead decides: who gets an item, who loses it, whether a task is open.

An item that is assigned stays with the person however long they take; nobody else gets it
meanwhile. Taking an item back keeps its history and removes it from what holds.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from assize.base.errors import ConfigError
from assize.web._queue.assignment import Assignment, Gone, assignment_of, selected
from assize.web._queue.counters import completed, counted
from assize.web._queue.giving import give
from assize.web._queue.standing import joined, standing
from assize.web._storage.schema import answers as history
from assize.web._storage.schema import assignments, items, participations, tasks
from assize.web._tasks.definition import Task

_A, _I, _P = assignments.c, items.c, participations.c


def assign(connection: Connection, task: Task, key: str, person: int, now: float) -> Assignment:
    """Gives an item to a person of the lead's choice.

    Args:
        key: the item's own id.

    Raises:
        ConfigError: the task has no such item to rate, or the person wrote it.
        Gone: as many as wanted have it, or this person does.
    """
    found = joined(connection, standing(connection, task, person))
    asked = select(_I.id, _I.removed).where(
        _I.task == found.task, _I.key == key, _I.purpose == "rate"
    )
    item = connection.execute(asked).first()
    if item is None or item.removed:
        raise ConfigError(f"the task {task.name!r} has no item {key!r}")
    before = _held(connection, _A.item == item.id, _A.person == person, _A.repeat == 0)
    if before is not None and before.chosen == "written":
        raise ConfigError(f"{found.name} wrote {key!r}; choose somebody else to proofread it")
    if before is not None and before.state not in ("expired", "withdrawn"):
        raise Gone(f"{found.name} has {key!r} already")
    given = give(connection, task, found, item.id, "assigned", now, keep=True)
    if given is None:
        raise Gone(f"{task.raters_per_item} have {key!r} already; take it from one of them first")
    return given


def withdraw(connection: Connection, task: Task, assignment: int, now: float) -> Assignment:
    """Takes an item back from whoever has it; what they answered holds no longer.

    Returns:
        The assignment as it is now; one that was taken back before stays so.

    Raises:
        ConfigError: there is no such assignment in the task.
    """
    one = _held(connection, _A.id == assignment, task=task)
    if one is None:
        raise ConfigError(f"the task {task.name!r} has no assignment {assignment}")
    if one.state == "withdrawn":
        return one
    counted(connection, task, one, "withdrawn")
    completed(connection, task, one, "withdrawn")
    answered = one.state in ("done", "skipped")
    if answered:
        connection.execute(
            insert(history).values(
                assignment=one.id,
                number=one.revision,
                event="withdraw",
                version=one.version,
                seconds=one.seconds,
                at=now,
            )
        )
    connection.execute(
        update(assignments)
        .where(_A.id == one.id)
        .values(
            state="withdrawn",
            revision=one.revision + answered,
            reserved_until=None,
            submitted=None,
            touched=now,
        )
    )
    return assignment_of(connection.execute(selected().where(_A.id == one.id)).one())


def reassign(
    connection: Connection, task: Task, assignment: int, person: int, now: float
) -> Assignment:
    """Takes an item back from whoever has it and gives it to another person.

    Raises:
        ConfigError: there is no such assignment in the task, it is no item to rate, or the other
            person wrote it.
        Gone: the other person has the item already.
    """
    one = withdraw(connection, task, assignment, now)
    if one.purpose != "rate":
        raise ConfigError("only items to rate are given to others")
    return assign(connection, task, one.key, person, now)


def set_state(connection: Connection, task: Task, state: str) -> None:
    """Opens, pauses or closes a task: a paused one gives no new items, a closed one takes no
    answers either."""
    if state not in ("open", "paused", "closed"):
        raise ConfigError(f"no state {state!r} of a task; known are open, paused, closed")
    connection.execute(update(tasks).where(tasks.c.name == task.name).values(state=state))


def _held(connection: Connection, *which: Any, task: Task | None = None) -> Assignment | None:
    asked = selected().where(*which)
    if task is not None:
        asked = asked.join(tasks, tasks.c.id == _A.task).where(tasks.c.name == task.name)
    row: Row[Any] | None = connection.execute(asked).first()
    return None if row is None else assignment_of(row)
