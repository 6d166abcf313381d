"""A project's tasks and items in its database, as their files have them now.

A task whose file changed gets a new version; answers keep the one that they were given under.
An item that is gone from its file is given to nobody any more; what was answered stays. Where
an item changed after somebody was given it, it is a new item, and the old one is closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from assize.web._project import Project
from assize.web._queue.change_record import close_item, was_given
from assize.web._queue.counts import recount, reopen
from assize.web._queue.item_rows import Rows, data_hash, item_rows, task_texts, version_hash
from assize.web._storage.schema import items, task_versions, tasks
from assize.web._tasks.check_task import check_settings, check_task
from assize.web._tasks.definition import Task

BATCH = 5_000  # rows of one insert

_I, _T, _V = items.c, tasks.c, task_versions.c
_REMOVE = update(items).where(_I.id == bindparam("the")).values(removed=True, open=False)


@dataclass(frozen=True, slots=True)
class Synced:
    """What a task's files changed in the database.

    Args:
        version: number of the task's version now; `new_version` whether it is new.
        replaced: of the changed items, those that are new items, for somebody was given the old
            one, which is closed.
    """

    task: str
    version: int
    new_version: bool = False
    added: int = 0
    changed: int = 0
    removed: int = 0
    replaced: int = 0


def check_project(connection: Connection, project: Project) -> list[str]:
    """`check_task` for all tasks; of those whose files were taken in as they are, the settings.

    Returns:
        What is allowed and may be a mistake, a sentence each.

    Raises:
        DataError: a task, or a file that it names, is wrong.
    """
    told = []
    for task in project.tasks:
        if _known(connection, task, data_hash(task)) is not None:
            check_settings(task, project.tasks)
        else:
            told += [f"task {task.name}: {one}" for one in check_task(task, project.tasks)]
    return told


def sync_project(connection: Connection, project: Project, now: float) -> list[Synced]:
    """Brings all tasks of a project into its database; a second time changes nothing.

    Raises:
        DataError: a file that a task names is wrong, or two items of a task have one id.
    """
    return [sync_task(connection, task, now) for task in project.tasks]


def sync_task(connection: Connection, task: Task, now: float) -> Synced:
    """Brings one task into the database; arguments and errors as of `sync_project`.

    Files that are as they were the last time are not read again.
    """
    check_settings(task)
    data = data_hash(task)
    known = _known(connection, task, data)
    if known is not None:
        return Synced(task.name, known)
    rows = item_rows(task)
    number, version, new = _versioned(connection, task, now)
    counts = _sync_items(connection, number, rows)
    connection.execute(
        update(tasks).where(_T.id == number).values(data=data, wanted=task.raters_per_item)
    )
    reopen(connection, number)
    return Synced(task.name, version, new, **counts)


def _known(connection: Connection, task: Task, data: str) -> int | None:
    """The version of a task whose files were taken in as they are now; None where they changed."""
    row = connection.execute(select(_T.version, _T.data).where(_T.name == task.name)).first()
    return int(row.version) if row is not None and row.data == data else None


def _versioned(connection: Connection, task: Task, now: float) -> tuple[int, int, bool]:
    """The task's number in the database, its version, and whether that is new."""
    hashed = version_hash(task)
    row = connection.execute(select(_T.id, _T.version).where(_T.name == task.name)).first()
    if row is None:
        made = insert(tasks).values(name=task.name, kind=task.kind, version=1)
        number, version = connection.execute(made.returning(_T.id)).scalar_one(), 1
    else:
        number, version = row
        same = select(_V.hash).where(_V.task == number, _V.number == version)
        if connection.execute(same).scalar_one_or_none() == hashed:
            return number, version, False
        version += 1
        connection.execute(
            update(tasks).where(_T.id == number).values(version=version, kind=task.kind)
        )
    connection.execute(
        insert(task_versions).values(
            task=number,
            number=version,
            source=task.source,
            texts=task_texts(task),
            hash=hashed,
            pilot=task.pilot,
            created=now,
        )
    )
    return number, version, True


def _sync_items(connection: Connection, number: int, rows: Rows) -> dict[str, int]:
    """Insert, change, close and remove items; return how many, by the fields of `Synced`."""
    columns = (_I.id, _I.purpose, _I.key, _I.hash, _I.place, _I.removed)
    known = {
        (row.key, row.purpose == "qualify"): row
        for row in connection.execute(
            select(*columns).where(_I.task == number, _I.origin == "file")
        )
    }
    fresh = [{**row, "task": number} for key, row in rows.items() if key not in known]
    for start in range(0, len(fresh), BATCH):
        connection.execute(insert(items), fresh[start : start + BATCH])
    changed = replaced = 0
    for key, row in rows.items():
        before = known.get(key)
        if before is None or (before.hash, before.place, before.removed) == (
            row["hash"],
            row["place"],
            False,
        ):
            continue
        changed += 1
        if before.hash == row["hash"] or _stays(connection, before.id, row):
            connection.execute(update(items).where(_I.id == before.id).values(**row, removed=False))
            recount(connection, [before.id])
        else:
            close_item(connection, before.id)
            connection.execute(insert(items).values(**row, task=number))
            replaced += 1
    gone = [{"the": row.id} for key, row in known.items() if key not in rows and not row.removed]
    if gone:
        connection.execute(_REMOVE, gone)
    return {
        "added": len(fresh),
        "changed": changed,
        "removed": len(gone),
        "replaced": replaced,
    }


def _stays(connection: Connection, item: int, row: Mapping[str, Any]) -> bool:
    """Whether a changed item is changed in place: nobody saw it, or its record is the same."""
    record = connection.scalar(select(_I.record).where(_I.id == item))
    return record == row["record"] or not was_given(connection, item)
