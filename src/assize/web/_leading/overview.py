"""Tasks, their versions and their items, as leads see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, func, select

from assize.web._storage.schema import assignments, comments, items, people, task_versions, tasks

TaskState = Literal["open", "paused", "closed"]
"""Open gives items; paused gives none and takes what was begun; closed takes nothing."""

Which = Literal["all", "open", "complete", "begun", "skipped", "gold", "qualify", "removed"]
"""Which items are listed."""

PAGE = 50  # items on a page


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task with its counts.

    Args:
        id: in `tasks`.
        wanted: raters an item; `size` items to rate; `complete` those answered by so many.
        reserved: assignments in somebody's hands; `done` submitted; `skipped`.
        flags: remarks that nobody has settled.
    """

    id: int
    name: str
    kind: str
    version: int
    state: TaskState
    wanted: int
    size: int
    complete: int
    reserved: int
    done: int
    skipped: int
    flags: int


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a task; `source` is the file's text, `answers` how many hold under it."""

    number: int
    created: float
    pilot: bool
    source: str
    answers: int


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item with its counts; `key` is the record's own id.

    Args:
        origin: file, collected or written.
    """

    id: int
    key: str
    purpose: str
    origin: str
    taken: int
    done: int
    skipped: int
    open: bool
    removed: bool


@dataclass(frozen=True, slots=True)
class Held:
    """An assignment of an item, as leads see it; times in seconds since 1970."""

    id: int
    person: str
    person_id: int
    state: str
    chosen: str
    repeat: int
    version: int
    created: float
    reserved_until: float | None
    submitted: float | None
    seconds: float


def task_lines(connection: Connection) -> tuple[TaskLine, ...]:
    """All tasks by name, those whose files are gone among them."""
    return tuple(TaskLine(*row) for row in connection.execute(_lines()))


def task_line(connection: Connection, name: str) -> TaskLine | None:
    """One task; None where there is none of that name."""
    row = connection.execute(_lines().where(tasks.c.name == name)).first()
    return None if row is None else TaskLine(*row)


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
        count_items(),
        count_items(i.done >= t.wanted),
        count("reserved"),
        count("done"),
        count("skipped"),
        flags.correlate(tasks).scalar_subquery(),
    ).order_by(t.name)


def versions(connection: Connection, task: int) -> tuple[Version, ...]:
    """The versions of a task, the newest first."""
    v, a = task_versions.c, assignments.c
    held = select(func.count()).where(
        a.task == v.task, a.version == v.number, a.state.in_(("done", "skipped"))
    )
    asked = select(
        v.number, v.created, v.pilot, v.source, held.correlate(task_versions).scalar_subquery()
    )
    rows = connection.execute(asked.where(v.task == task).order_by(v.number.desc()))
    return tuple(Version(*row) for row in rows)


def item_lines(
    connection: Connection, task: int, which: Which = "all", search: str = "", page: int = 1
) -> tuple[Sequence[ItemLine], int]:
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
    asked = (
        select(i.id, i.key, i.purpose, i.origin, i.taken, i.done, i.skipped, i.open, i.removed)
        .where(*where)
        .order_by(i.purpose.desc(), i.place, i.id)
        .limit(PAGE)
        .offset((page - 1) * PAGE)
    )
    return [ItemLine(*row) for row in connection.execute(asked)], count


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


def item_line(connection: Connection, task: int, item: int) -> ItemLine | None:
    """One item of a task; None where the task has none of that number."""
    i = items.c
    row = connection.execute(
        select(
            i.id, i.key, i.purpose, i.origin, i.taken, i.done, i.skipped, i.open, i.removed
        ).where(i.task == task, i.id == item)
    ).first()
    return None if row is None else ItemLine(*row)


def item_record(connection: Connection, item: int) -> dict[str, Any]:
    """An item's record."""
    record: dict[str, Any] = connection.scalars(
        select(items.c.record).where(items.c.id == item)
    ).one()
    return record


def held(connection: Connection, item: int) -> tuple[Held, ...]:
    """Everybody who was given an item, the first first."""
    a = assignments.c
    rows = connection.execute(
        select(
            a.id,
            people.c.name,
            people.c.id,
            a.state,
            a.chosen,
            a.repeat,
            a.version,
            a.created,
            a.reserved_until,
            a.submitted,
            a.seconds,
        )
        .join(people, people.c.id == a.person)
        .where(a.item == item)
        .order_by(a.created, a.id)
    )
    return tuple(Held(*row) for row in rows)
