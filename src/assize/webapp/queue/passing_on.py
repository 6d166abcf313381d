"""From writers to proofreaders and back: what was written in one task is read in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from assize.signature import json_hash
from assize.webapp.queue.chance import chance
from assize.webapp.queue.counters import reopened
from assize.webapp.queue.rejections import (
    hold_again,
    read_anew,
    rejections,
    reword,
    to_writer,
)
from assize.webapp.queue.standing import joined, standing
from assize.webapp.queue.written import WROTE, Written, sent_back, written
from assize.webapp.storage.schema import assignments, items, tasks
from assize.webapp.tasks.definition import Task
from assize.webapp.tasks.proofread import sources_of

ORIGIN = "written"


def pass_on(connection: Connection, project_tasks: Sequence[Task], now: float) -> int:
    """Gives proofreaders what writers have sent, and writers what proofreaders rejected.

    Called after a writer or a proofreader has submitted, skipped or undone something, and when
    the app starts; nothing happens where nothing has changed. A writer never gets their own. What
    was undone or edited is removed or replaced as long as nobody was given it to read, or where
    it was rejected.

    Args:
        now: seconds since 1970.

    Returns:
        How many items are new, changed, gone, or went back.
    """
    chains = [(one, sources_of(one, project_tasks)) for one in project_tasks]
    return sum(
        _passed(connection, chain[0], reading, now)
        for reading, chain in sorted(chains, key=lambda one: len(one[1]))
        if chain
    )


def _passed(connection: Connection, source: Task, reading: Task, now: float) -> int:
    number = connection.execute(
        select(tasks.c.id).where(tasks.c.name == reading.name)
    ).scalar_one_or_none()
    if number is None:
        return 0
    there = {row.key: row for row in _there(connection, number)}
    rejected = rejections(connection, number)
    changed = 0
    for one in sent_back(connection, source):
        item = _same(one, there)
        if item is not None and item not in rejected:
            changed += hold_again(connection, source, one, now)
    for one in written(connection, source):
        same, row = _same(one, there), there.get(one.conversation.id)
        if row is not None and same in (None, row.id):
            del there[row.key]
        if same is not None:
            _keep_from(connection, reading, same, one)
            if same in rejected:
                changed += to_writer(connection, source, one, rejected[same], now)
        elif row is None:
            _added(connection, reading, number, one)
            changed += 1
        elif row.id in rejected:
            changed += read_anew(connection, reading, row.id, one.record, rejected[row.id], now)
        elif not row.taken:
            reword(connection, row.id, one.record, now)
            again = update(items).where(items.c.id == row.id)
            connection.execute(again.values(removed=False, open=True))
            reopened(connection, reading, number, row.rank, row.place)
            changed += 1
    gone = [row.id for row in there.values() if not row.taken and not row.removed]
    if gone:
        connection.execute(
            update(items).where(items.c.id.in_(gone)).values(removed=True, open=False)
        )
    if changed or gone:
        _sized(connection, number)
    return changed + len(gone)


def _same(one: Written, there: Mapping[str, Any]) -> int | None:
    """The item that says what was written; None where none does."""
    row = there.get(one.conversation.id)
    if row is None:
        return None
    return row.id if row.hash == json_hash(one.record) and not row.removed else None


def _there(connection: Connection, number: int) -> Iterator[Any]:
    i = items.c
    asked = select(i.id, i.key, i.hash, i.taken, i.removed, i.rank, i.place)
    yield from connection.execute(asked.where(i.task == number, i.origin == ORIGIN))


def _added(connection: Connection, reading: Task, number: int, one: Written) -> None:
    """Adds an item that its writer does not get."""
    record, key = one.record, one.conversation.id
    place = connection.execute(
        select(func.count()).select_from(items).where(items.c.task == number)
    ).scalar_one()
    rank = chance(reading.seed, "rank", key)
    made = insert(items).values(
        task=number,
        key=key,
        origin=ORIGIN,
        purpose="rate",
        place=place,
        rank=rank,
        hash=json_hash(record),
        record=record,
    )
    item = int(connection.execute(made.returning(items.c.id)).scalar_one())
    reopened(connection, reading, number, rank, place)
    _keep_from(connection, reading, item, one)


def _keep_from(connection: Connection, reading: Task, item: int, one: Written) -> None:
    """Makes the assignments that keep an item from those who had a hand in it."""
    a = assignments.c
    there = select(a.person).where(a.item == item, a.repeat == 0)
    for person in sorted({one.writer, *one.before} - set(connection.scalars(there))):
        who = joined(connection, standing(connection, reading, person))
        connection.execute(
            insert(assignments).values(
                task=who.task,
                item=item,
                person=person,
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


def _sized(connection: Connection, number: int) -> None:
    i = items.c
    mine = and_(i.task == number, i.purpose == "rate", i.removed.is_(False))
    size = connection.execute(select(func.count()).select_from(items).where(mine)).scalar_one()
    connection.execute(update(tasks).where(tasks.c.id == number).values(size=size))
