"""Tasks, their versions and their items, as leads see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from assize.web._storage.schema import assignments, comments, items, people, task_versions, tasks

Which = Literal["all", "open", "complete", "begun", "skipped", "gold", "qualify", "removed"]
"""Which items are listed."""

PAGE = 50  # items on a page

_I = items.c
_ITEM: tuple[Any, ...] = (
    _I.id,
    _I.key,
    _I.purpose,
    _I.origin,
    _I.taken,
    _I.done,
    _I.skipped,
    _I.open,
    _I.removed,
)


def task_lines(connection: Connection) -> Sequence[Row[Any]]:
    """Return all tasks by name with their counts, those whose files are gone among them.

    `wanted` is raters an item, `size` items to rate, `complete` those answered by so many;
    `reserved` assignments are in somebody's hands, others `done` or `skipped`; `flags` are remarks
    that nobody has settled.
    """
    return connection.execute(_lines()).all()


def task_line(connection: Connection, name: str) -> Row[Any] | None:
    """Return one task as `task_lines` has it; None where there is none of that name."""
    return connection.execute(_lines().where(tasks.c.name == name)).first()


def _lines() -> Select[Any]:
    t, i, a, c = tasks.c, items.c, assignments.c, comments.c

    def count(state: str) -> Any:
        found = select(func.count()).where(a.task == t.id, a.state == state)
        return found.correlate(tasks).scalar_subquery()

    def count_items(*which: ColumnElement[bool]) -> Any:
        rows = select(func.count()).where(i.task == t.id, i.purpose == "rate", ~i.removed, *which)
        return rows.correlate(tasks).scalar_subquery()

    flags = select(func.count()).where(c.task == t.id, c.kind == "flag", c.settled.is_(None))
    return select(
        t.id,
        t.name,
        t.kind,
        t.version,
        t.state,
        t.wanted,
        count_items().label("size"),
        count_items(i.done >= t.wanted).label("complete"),
        *(count(state).label(state) for state in ("reserved", "done", "skipped")),
        flags.correlate(tasks).scalar_subquery().label("flags"),
    ).order_by(t.name)


def versions(connection: Connection, task: int) -> Sequence[Row[Any]]:
    """Return the versions of a task, the newest first, with how many answers hold under each."""
    v, a = task_versions.c, assignments.c
    held = select(func.count()).where(
        a.task == v.task, a.version == v.number, a.state.in_(("done", "skipped"))
    )
    answers = held.correlate(task_versions).scalar_subquery().label("answers")
    rows: Select[Any] = select(v.number, v.created, v.pilot, v.source, answers).where(
        v.task == task
    )
    return connection.execute(rows.order_by(v.number.desc())).all()


def item_lines(
    connection: Connection, task: int, which: Which = "all", search: str = "", page: int = 1
) -> tuple[Sequence[Row[Any]], int]:
    """One page of a task's items in the order of its file, and how many there are in all.

    Args:
        search: part of the id.
        page: from 1, `PAGE` items each.
    """
    i = items.c
    where = [i.task == task, *_which(which)]
    if search:
        where.append(i.key.contains(search, autoescape=True))
    count = connection.scalar(select(func.count()).where(*where)) or 0
    rows = (
        select(*_ITEM)
        .where(*where)
        .order_by(i.purpose.desc(), i.place, i.id)
        .limit(PAGE)
        .offset((page - 1) * PAGE)
    )
    return connection.execute(rows).all(), count


def _which(which: Which) -> list[ColumnElement[bool]]:
    i = items.c
    if which == "removed":
        return [i.removed]
    if which in ("gold", "qualify"):
        return [i.purpose == which, ~i.removed]
    enough = select(tasks.c.wanted).where(tasks.c.id == i.task).scalar_subquery()
    more: dict[str, list[ColumnElement[bool]]] = {
        "all": [],
        "open": [i.open],
        "complete": [i.done >= enough],
        "begun": [i.taken > 0, i.done < enough],
        "skipped": [i.skipped > 0],
    }
    return [*more[which], ~i.removed, *([] if which == "all" else [i.purpose == "rate"])]


def item_line(connection: Connection, task: int, item: int) -> Row[Any] | None:
    """Return one item of a task; None where the task has none of that number."""
    of_task = (items.c.task == task, items.c.id == item)
    return connection.execute(select(*_ITEM).where(*of_task)).first()


def item_record(connection: Connection, item: int) -> dict[str, Any]:
    """An item's record."""
    record: dict[str, Any] = connection.scalars(
        select(items.c.record).where(items.c.id == item)
    ).one()
    return record


def held(connection: Connection, item: int) -> Sequence[Row[Any]]:
    """Return everybody who was given an item, the first first; times in seconds since 1970."""
    a = assignments.c
    columns: tuple[Any, ...] = (
        a.state,
        a.chosen,
        a.repeat,
        a.version,
        a.created,
        a.reserved_until,
        a.submitted,
    )
    person = (people.c.name.label("person"), people.c.id.label("person_id"))
    rows: Select[Any] = select(a.id, *person, *columns, a.seconds).join(
        people, people.c.id == a.person
    )
    return connection.execute(rows.where(a.item == item).order_by(a.created, a.id)).all()
