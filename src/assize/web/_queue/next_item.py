"""The item that a rater gets next: what they left open, the qualification, then the task."""

from __future__ import annotations

from sqlalchemy import Connection

from assize.web._queue.assign_item import assign_item, expire_assignments, resume_assignment
from assize.web._queue.assignment import Assignment, Nothing
from assize.web._queue.choose_item import Choice, choose_item
from assize.web._queue.participant import (
    Participant,
    allowance_left,
    exclusion_reason,
    others_have_items,
    read_participant,
)
from assize.web._queue.qualifying import graded, next_qualifying
from assize.web._tasks.definition import Task


def next_assignment(
    connection: Connection, task: Task, person: int, now: float
) -> Assignment | Nothing:
    """Return the item that a rater works on next: the one left open, or a new one, reserved.

    Called again without an answer, it returns the same item. It writes: use `Store.write`.

    Args:
        now: seconds since 1970.
    """
    return next_for(connection, task, read_participant(connection, task, person), now)


def next_for(
    connection: Connection, task: Task, rater: Participant, now: float
) -> Assignment | Nothing:
    """As `next_assignment`, for a participant that was read in this transaction."""
    reason = exclusion_reason(connection, task, rater)
    if reason is not None:
        return Nothing(reason)
    opened = resume_assignment(connection, task, rater, now)
    if opened is not None:
        return opened
    expire_assignments(connection, rater.task, now)
    while task.qualification is not None and rater.qualified is None:
        item = next_qualifying(connection, rater)
        if item is not None:
            choice = Choice(item, "qualify")
            return assign_item(connection, task, rater, choice, now, repeat=rater.attempt)
        rater = graded(connection, task, rater)
    if task.qualification is not None and rater.qualified == "failed":
        return Nothing("failed")
    if allowance_left(connection, task, rater) == 0:
        return Nothing("allowance")
    chosen = choose_item(connection, task, rater)
    if chosen is None:
        return Nothing("wait" if others_have_items(connection, rater) else "finished")
    return assign_item(connection, task, rater, chosen, now)
