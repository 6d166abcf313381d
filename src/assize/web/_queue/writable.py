"""What a person may still write to, and what stays as it was answered."""

from __future__ import annotations

from sqlalchemy import Connection, select

from assize.web._queue.assignment import Assignment, Gone, Held, NotYours, held
from assize.web._storage.schema import discussions, participations
from assize.web._tasks.definition import Task


def writable(
    connection: Connection, task: Task, assignment: int, person: int, known: Held | None = None
) -> Held:
    """A person's assignment that they may write to; arguments and errors as of `submit`."""
    found = known or held(connection, assignment, person)
    if found is None or found.task != task.name:
        raise NotYours(f"you have no assignment {assignment} in {task.name!r}")
    if found.state == "closed":
        raise Gone("this task is closed; nothing more is taken")
    if found.one.state == "withdrawn":
        raise Gone("this item was given to someone else")
    if found.one.purpose == "qualify" and _is_graded(connection, found.one):
        raise Gone("this round is graded; its answers stay as they are")
    return found


def discussed(connection: Connection, one: Assignment) -> int | None:
    """The discussion of an answered item, open or settled, in which its rater sees all answers.

    Returns:
        Its id; None where there is none.
    """
    if one.state != "done":
        return None
    asked = select(discussions.c.id).where(discussions.c.item == one.item)
    found: int | None = connection.execute(asked).scalar_one_or_none()
    return found


def check_free(connection: Connection, one: Assignment) -> None:
    """Lets nobody change an answer who may have read those of others.

    Raises:
        Gone: it is `discussed`.
    """
    if discussed(connection, one) is not None:
        raise Gone("this item is discussed, with what others answered; your answer stays as it is")


def _is_graded(connection: Connection, one: Assignment) -> bool:
    p = participations.c
    asked = select(p.attempt, p.qualified).where(p.task == one.task, p.person == one.person)
    row = connection.execute(asked).one()
    return row.qualified is not None or one.repeat < row.attempt
