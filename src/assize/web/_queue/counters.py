"""What an item and a person count: kept with every change of an assignment's state.

    state      taken  done  skipped
    reserved     1     0       0
    done         1     1       0
    skipped      0     0       1
    expired      0     0       0
    withdrawn    0     0       0

An item is open while fewer than `raters_per_item` have taken it, and no more than so many have
skipped it: a skipped item goes to another person, but not round and round. Only items to rate
count there: gold and the qualification have no overlap.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Integer,
    Row,
    and_,
    bindparam,
    exists,
    not_,
    or_,
    update,
)

from assize.web._queue.assignment import Assignment, Gone, State
from assize.web._storage.schema import items, participations, tasks
from assize.web._tasks.definition import Task

COUNTS: dict[State, tuple[int, int, int]] = {
    "reserved": (1, 0, 0), "done": (1, 1, 0), "skipped": (0, 0, 1), "expired": (0, 0, 0),
    "withdrawn": (0, 0, 0),
}  # fmt: skip


def counting(which: Any, *returned: Column[Any]) -> Any:
    """Adds to an item's counts, unless it would be taken by more than are wanted.

    Args:
        which: the item's number.
    """
    i = items.c
    by = {name: bindparam(f"by_{name}", type_=Integer) for name in ("taken", "done", "skipped")}
    wanted = bindparam("wanted", type_=Integer)
    room = or_(by["taken"] <= 0, and_(i.taken < wanted, not_(i.removed)))
    changed = (
        update(items)
        .where(i.id == which, room)
        .values(
            taken=i.taken + by["taken"],
            done=i.done + by["done"],
            skipped=i.skipped + by["skipped"],
            open=and_(
                i.taken + by["taken"] < wanted, i.skipped + by["skipped"] <= wanted, not_(i.removed)
            ),
        )
    )
    return changed.returning(*returned) if returned else changed


def _within(column: Column[Any]) -> ColumnElement[bool]:
    return column == bindparam("in_task")


_I, _P, _T = items.c, participations.c, tasks.c
_ITEM = bindparam("of_item", type_=Integer)
TAKEN = (_I.id, _I.key, _I.purpose, _I.record, _I.suggestion)
_COUNT = counting(_ITEM)
_COUNT_AND_LOOK = counting(_ITEM, _I.open, _I.rank, _I.place)
_TAKE = counting(_ITEM, *TAKEN)
_COMPLETE = (
    update(tasks)
    .where(_within(_T.id))
    .where(exists().where(_I.id == _ITEM, _I.done == bindparam("at"), not_(_I.removed)))
    .values(complete=_T.complete + bindparam("by", type_=Integer))
)
_ANSWERED = (
    update(participations)
    .where(_within(_P.task), _P.person == bindparam("of_person"))
    .values(
        done=_P.done + bindparam("by_done", type_=Integer),
        skipped=_P.skipped + bindparam("by_skipped", type_=Integer),
    )
)
_BACK = (
    update(participations)
    .where(_within(_P.task), _P.front > bindparam("at"))
    .values(front=bindparam("at"))
)


def counted(connection: Connection, task: Task, one: Assignment, to: State) -> None:
    """Keeps the counts when an assignment goes from its state to another, but the task's.

    Raises:
        Gone: it would take the item once more, and as many as wanted have it by now.
    """
    before, after = COUNTS[one.state], COUNTS[to]
    taken, done, skipped = (new - old for new, old in zip(after, before, strict=True))
    if (taken, done, skipped) != (0, 0, 0) and _overlaps(one):
        _item_counted(connection, task, one, taken, done, skipped)
    if (done, skipped) != (0, 0):
        connection.execute(
            _ANSWERED,
            {"in_task": one.task, "of_person": one.person, "by_done": done, "by_skipped": skipped},
        )


def completed(connection: Connection, task: Task, one: Assignment, to: State) -> None:
    """Keeps the task's count of items that all who are wanted have answered, after `counted`.

    Everybody's steps write that row: the later in a transaction, the less others wait for it.
    """
    done = COUNTS[to][1] - COUNTS[one.state][1]
    if done and _overlaps(one):
        at = task.raters_per_item - (done < 0)
        connection.execute(
            _COMPLETE, {"in_task": one.task, "of_item": one.item, "at": at, "by": done}
        )


def _overlaps(one: Assignment) -> bool:
    return one.purpose == "rate"


def take(connection: Connection, task: Task, item: int) -> Row[Any] | None:
    """Takes an item to rate once more: `TAKEN` of it; None where it is full."""
    asked = {"of_item": item, **taking(task)}
    found: Row[Any] | None = connection.execute(_TAKE, asked).first()
    return found


def taking(task: Task) -> dict[str, int]:
    """The values of `counting` by which an item is taken once more."""
    return {"wanted": task.raters_per_item, "by_taken": 1, "by_done": 0, "by_skipped": 0}


def _item_counted(
    connection: Connection, task: Task, one: Assignment, taken: int, done: int, skipped: int
) -> None:
    values = {
        "of_item": one.item,
        "wanted": task.raters_per_item,
        "by_taken": taken,
        "by_done": done,
        "by_skipped": skipped,
    }
    if taken == 0:
        connection.execute(_COUNT, values)
        return
    row = connection.execute(_COUNT_AND_LOOK, values).first()
    if row is None:
        raise Gone("others have this item by now, or it is closed; your answer was not taken")
    if row.open and taken < 0:
        reopened(connection, task, one.task, row.rank, row.place)


def reopened(connection: Connection, task: Task, number: int, rank: float, place: int) -> None:
    """Lets everybody look again from where an item became free."""
    at = float(place) if task.order == "file" else rank
    connection.execute(_BACK, {"in_task": number, "at": at})
