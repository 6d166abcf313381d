"""Keeping a reservation longer."""

from __future__ import annotations

from sqlalchemy import Connection, update

from assize.base.errors import ConfigError
from assize.web._queue.assignment import assignment_of, selected
from assize.web._queue.counters import counted
from assize.web._storage.schema import assignments, tasks
from assize.web._tasks.definition import Task


def extend(connection: Connection, task: Task, number: int, until: float, now: float) -> None:
    """Keeps a reservation until a time; one that ran out is reserved again.

    Args:
        number: of the assignment.
        until, now: seconds since 1970.

    Raises:
        ConfigError: it is no reservation of this task, or the time is over.
        Gone: it ran out, and others have the item by now.
    """
    row = connection.execute(
        selected()
        .join(tasks, tasks.c.id == assignments.c.task)
        .where(assignments.c.id == number, tasks.c.name == task.name)
    ).first()
    one = None if row is None else assignment_of(row)
    if one is None or one.state not in ("reserved", "expired"):
        raise ConfigError("only what is open, or ran out, can be kept longer")
    if until <= now:
        raise ConfigError("give a time that is still to come")
    counted(connection, task, one, "reserved")
    connection.execute(
        update(assignments)
        .where(assignments.c.id == number)
        .values(state="reserved", reserved_until=until, touched=now)
    )
