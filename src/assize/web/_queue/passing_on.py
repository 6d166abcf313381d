"""From writers to proofreaders: what was written in one task is read in another."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select, update

from assize.base.signature import json_hash
from assize.web._queue.chance import chance
from assize.web._queue.change_record import close_item, was_given
from assize.web._queue.recounting import recount
from assize.web._queue.rejections import rejected_rows
from assize.web._queue.standing import joined, standing
from assize.web._queue.written import WROTE, Written, written
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
    number = connection.execute(
        select(tasks.c.id).where(tasks.c.name == reading.name)
    ).scalar_one_or_none()
    if number is None:
        return 0
    rows = connection.execute(
        select(_I.id, _I.key, _I.hash, _I.taken, _I.removed).where(
            _I.task == number, _I.origin == ORIGIN
        )
    )
    there = {row.key: row for row in rows}
    rejected = {row.item for row in rejected_rows(connection, reading)}
    changed = 0
    for text in written(connection, source):
        row = there.pop(text.conversation.id, None)
        hashed = json_hash(text.record)
        if row is None:
            _add_item(connection, reading, number, text)
        elif row.hash == hashed and not row.removed:
            continue
        elif row.taken and row.id not in rejected:
            continue  # it is read, or was accepted, as it stood
        elif row.hash != hashed and was_given(connection, row.id):
            close_item(connection, row.id)
            _add_item(connection, reading, number, text)
        else:
            same = update(items).where(_I.id == row.id)
            connection.execute(same.values(record=text.record, hash=hashed, removed=False))
        changed += 1
    gone = [row.id for row in there.values() if not row.taken and not row.removed]
    if gone:
        connection.execute(update(items).where(_I.id.in_(gone)).values(removed=True))
    if changed or gone:
        recount(connection, number)
    return changed + len(gone)


def _add_item(connection: Connection, reading: Task, number: int, text: Written) -> None:
    """Adds an item that its writer does not get."""
    record, key = text.record, text.conversation.id
    place = connection.execute(
        select(func.count()).select_from(items).where(_I.task == number)
    ).scalar_one()
    made = insert(items).values(
        task=number,
        key=key,
        origin=ORIGIN,
        purpose="rate",
        place=place,
        rank=chance(reading.seed, "rank", key),
        hash=json_hash(record),
        record=record,
    )
    item = int(connection.execute(made.returning(_I.id)).scalar_one())
    who = joined(connection, standing(connection, reading, text.writer))
    connection.execute(
        insert(assignments).values(
            task=who.task,
            item=item,
            person=text.writer,
            repeat=0,
            draw=who.draws,
            state="withdrawn",
            chosen=WROTE,
            revision=0,
            version=who.version,
            created=0.0,
            touched=0.0,
            seconds=0.0,
        )
    )
