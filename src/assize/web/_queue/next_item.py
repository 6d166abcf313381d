"""Which item a person gets next.

What they left open comes first, then the qualification. After it a gold item stands at one
place in every `gold.every`, and the rest are items of the task in its order.

A random order is drawn from a window: one of the first `WINDOW` items, in an order drawn once
for all, that are open and that the person has not had. So raters see items in orders of their
own, an item's ratings still come close together, and a round that ends early leaves few items
half rated. A task with no more items than the window is ordered at random as a whole.
Everything is drawn from the task's seed and the person: drawn again, it comes out the same.
"""

from __future__ import annotations

from sqlalchemy import Connection

from assize.web._queue.assignment import Assignment, Nothing
from assize.web._queue.drawing import gold, of_the_task
from assize.web._queue.giving import expire, give, left_open
from assize.web._queue.qualifying import graded, next_qualifying
from assize.web._queue.standing import Standing, joined, kept_out, others_hold, share_left, standing
from assize.web._tasks.definition import Task

_TRIES = 3  # another process may take an item between the look and the write


def next_assignment(
    connection: Connection, task: Task, person: int, now: float
) -> Assignment | Nothing:
    """The item that a person works on next: the one left open, or a new one, reserved for them.

    Called again without an answer, it gives the same item. It writes: call it by `Store.write`.

    Args:
        person: their number in the database.
        now: seconds since 1970.
    """
    return next_for(connection, task, standing(connection, task, person), now)


def next_for(
    connection: Connection, task: Task, found: Standing, now: float
) -> Assignment | Nothing:
    """As `next_assignment`, where it was read in this transaction how the person stands."""
    why = kept_out(connection, task, found)
    if why is not None:
        return Nothing(why)
    opened = left_open(connection, task, found, now)
    if opened is not None:
        return opened
    found = joined(connection, found)
    if found.lapsing is not None and found.lapsing < now:
        expire(connection, task, found.task, now)
    if task.qualification is not None and found.qualified != "passed":
        return _qualifying(connection, task, found, now)
    return _working(connection, task, found, now)


def _qualifying(
    connection: Connection, task: Task, found: Standing, now: float
) -> Assignment | Nothing:
    while found.qualified is None:
        item = next_qualifying(connection, found)
        if item is not None:
            given = give(connection, task, found, item, "qualify", now, repeat=found.attempt)
            assert given is not None  # only items to rate can be full
            return given
        found = graded(connection, task, found)
    if found.qualified == "failed":
        return Nothing("failed")
    return _working(connection, task, found, now)


def _working(
    connection: Connection, task: Task, found: Standing, now: float
) -> Assignment | Nothing:
    if share_left(connection, task, found) == 0:
        return Nothing("allowance")
    for attempt in range(_TRIES):
        drawn = gold(connection, task, found) or of_the_task(connection, task, found, attempt)
        if drawn is None:
            break
        given = give(connection, task, found, drawn.item, drawn.chosen, now, taken=drawn.taken)
        if given is not None:
            return given
    return Nothing("wait" if others_hold(connection, found) else "finished")
