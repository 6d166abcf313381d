"""What a lead decides: who gets an item, who loses it, whether a task is open.

An item that a lead assigned stays with the rater however long they take. Withdrawing an item keeps
its history and removes it from what counts.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from assize.base.errors import ConfigError
from assize.web._queue.assign_item import assign_item
from assize.web._queue.assignment import Assignment, Gone, select_assignments, to_assignment
from assize.web._queue.choose_item import Choice
from assize.web._queue.counts import has_room, update_assignment
from assize.web._queue.participant import read_participant
from assize.web._storage.schema import answers as history
from assize.web._storage.schema import assignments, items, tasks
from assize.web._tasks.definition import Task

_A, _I = assignments.c, items.c


def assign(connection: Connection, task: Task, key: str, person: int, now: float) -> Assignment:
    """Give an item to a rater of the lead's choice.

    Args:
        key: the item's own id.

    Raises:
        ConfigError: the task has no such item to rate, or the rater wrote it.
        Gone: as many raters as wanted have it, or this one does.
    """
    rater = read_participant(connection, task, person)
    item = connection.scalar(
        select(_I.id).where(
            _I.task == rater.task, _I.key == key, _I.purpose == "rate", _I.removed.is_(False)
        )
    )
    if item is None:
        raise ConfigError(f"the task {task.name!r} has no item {key!r}")
    same = (_A.item == item, _A.person == person, _A.repeat == 0)
    before = connection.execute(select(_A.chosen, _A.state).where(*same)).first()
    if before is not None and before.chosen == "written":
        raise ConfigError(f"{rater.name} wrote {key!r}; choose somebody else to proofread it")
    if before is not None and before.state not in ("expired", "withdrawn"):
        raise Gone(f"{rater.name} has {key!r} already")
    if not has_room(connection, item):
        raise Gone(f"{task.raters_per_item} have {key!r} already; take it from one of them first")
    return assign_item(connection, task, rater, Choice(item, "assigned"), now, keep=True)


def withdraw(connection: Connection, task: Task, assignment: int, now: float) -> Assignment:
    """Take an item back from a rater; what they answered counts no longer.

    Raises:
        ConfigError: the task has no such assignment.
    """
    before = _assignment_in(connection, task, assignment)
    if before.state == "withdrawn":
        return before
    answered = before.state in ("done", "skipped")
    if answered:
        connection.execute(
            insert(history).values(
                assignment=before.id,
                number=before.revision,
                event="withdraw",
                version=before.version,
                seconds=before.seconds,
                at=now,
            )
        )
    return update_assignment(
        connection,
        before,
        state="withdrawn",
        revision=before.revision + answered,
        reserved_until=None,
        submitted=None,
        touched=now,
    )


def reassign(
    connection: Connection, task: Task, assignment: int, person: int, now: float
) -> Assignment:
    """Take an item back from a rater and give it to another. See `withdraw` and `assign`."""
    before = withdraw(connection, task, assignment, now)
    if before.purpose != "rate":
        raise ConfigError("only items to rate are given to others")
    return assign(connection, task, before.key, person, now)


def extend(connection: Connection, task: Task, assignment: int, until: float, now: float) -> None:
    """Keep a reservation until a time; one that expired is reserved again.

    Raises:
        ConfigError: the assignment is not open, or the time is over.
        Gone: it expired, and others have the item.
    """
    before = _assignment_in(connection, task, assignment)
    if before.state not in ("reserved", "expired"):
        raise ConfigError("only what is open, or ran out, can be kept longer")
    if until <= now:
        raise ConfigError("give a time that is still to come")
    update_assignment(connection, before, state="reserved", reserved_until=until, touched=now)


def set_state(connection: Connection, task: Task, state: str) -> None:
    """Open, pause (no new items) or close (no answers either) a task."""
    if state not in ("open", "paused", "closed"):
        raise ConfigError(f"no state {state!r} of a task; known are open, paused, closed")
    connection.execute(update(tasks).where(tasks.c.name == task.name).values(state=state))


def _assignment_in(connection: Connection, task: Task, assignment: int) -> Assignment:
    row = connection.execute(
        select_assignments()
        .join(tasks, tasks.c.id == _A.task)
        .where(_A.id == assignment, tasks.c.name == task.name)
    ).first()
    if row is None:
        raise ConfigError(f"the task {task.name!r} has no assignment {assignment}")
    return to_assignment(row)
