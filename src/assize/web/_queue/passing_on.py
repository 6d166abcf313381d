"""From writers to proofreaders: what was written in one task is read in another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from assize.base.signature import json_hash
from assize.formats import to_json
from assize.web._queue.change_record import close_item, was_given
from assize.web._queue.counts import reopen
from assize.web._queue.item_rows import insert_item
from assize.web._queue.participant import read_participant
from assize.web._queue.rejections import rejected_rows
from assize.web._queue.written import WROTE, written
from assize.web._storage.schema import assignments, items, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.proofread import writers_of

ORIGIN = "written"

_I = items.c


def pass_on(connection: Connection, project_tasks: Sequence[Task]) -> int:
    """Gives proofreaders what writers have sent.

    Called after a writer or a proofreader has submitted, skipped or undone something, and when
    the app starts; nothing happens where nothing has changed. A writer never gets their own. What
    was undone or edited is removed or changed as long as nobody was given it to read. What was
    rejected and is written anew is an item of its own, to be read by any proofreader; what was
    accepted stays as it was read.

    Returns:
        How many items are new, changed or gone.
    """
    changed = 0
    for reading in project_tasks:
        source = writers_of(reading, project_tasks)
        if source is not None:
            changed += _pass_texts(connection, source, reading)
    return changed


def _pass_texts(connection: Connection, source: Task, reading: Task) -> int:
    number = connection.scalar(select(tasks.c.id).where(tasks.c.name == reading.name))
    if number is None:
        return 0
    rows = connection.execute(
        select(_I.id, _I.key, _I.hash, _I.taken, _I.removed).where(
            _I.task == number, _I.origin == ORIGIN
        )
    )
    known = {row.key: row for row in rows}
    rejected = {row.item for row in rejected_rows(connection, reading)}
    changed = 0
    for text, form in written(connection, source):
        row = known.pop(text.id, None)
        record = to_json(text)
        hashed = json_hash(record)
        if row is None:
            _add_item(connection, reading, number, record, form.person)
        elif row.hash == hashed and not row.removed:
            continue
        elif row.taken and row.id not in rejected:
            continue  # it is read, or was accepted, as it stood
        elif row.hash != hashed and was_given(connection, row.id):
            close_item(connection, row.id)
            _add_item(connection, reading, number, record, form.person)
        else:
            same = update(items).where(_I.id == row.id)
            connection.execute(same.values(record=record, hash=hashed, removed=False))
        changed += 1
    gone = [row.id for row in known.values() if not row.taken and not row.removed]
    connection.execute(update(items).where(_I.id.in_(gone)).values(removed=True))
    reopen(connection, number)
    return changed + len(gone)


def _add_item(
    connection: Connection, reading: Task, number: int, record: dict[str, Any], writer: int
) -> None:
    """Add an item that its writer does not get."""
    rater = read_participant(connection, reading, writer)
    connection.execute(
        insert(assignments).values(
            task=number,
            item=insert_item(connection, reading, number, ORIGIN, record),
            person=writer,
            draw=rater.draws,
            state="withdrawn",
            chosen=WROTE,
            version=rater.version,
            created=0.0,
            touched=0.0,
        )
    )
