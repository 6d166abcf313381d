"""Records of items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from assize.base.conversation import Item
from assize.base.judgment import Judgment
from assize.formats.records import parse
from assize.web._storage.schema import items, tasks
from assize.web._tasks.definition import Task

AT_ONCE = 500  # numbers in one question


def read_items(connection: Connection, numbers: set[int]) -> dict[int, Item]:
    """The records of some items, by number."""
    rows = _some(connection, select(items.c.id, items.c.record), items.c.id, numbers)
    return {row.id: one for row in rows if not isinstance(one := parse(row.record), Judgment)}


def items_by_key(connection: Connection, task: Task) -> dict[str, Item]:
    """All records of a task's items that are not removed, by their own ids."""
    rows = connection.execute(
        select(items.c.key, items.c.record)
        .join(tasks, tasks.c.id == items.c.task)
        .where(tasks.c.name == task.name, ~items.c.removed)
    )
    return {row.key: one for row in rows if not isinstance(one := parse(row.record), Judgment)}


def _some(connection: Connection, asked: Any, id: Any, numbers: set[int]) -> Iterator[Any]:
    """The rows of these numbers, a few hundred at a time."""
    wanted = sorted(numbers)
    for start in range(0, len(wanted), AT_ONCE):
        yield from connection.execute(asked.where(id.in_(wanted[start : start + AT_ONCE])))
