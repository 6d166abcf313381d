"""From writers to proofreaders: what was written in one task becomes the items of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from assize.conversation import Conversation
from assize.formats import to_json
from assize.formats.records import parse
from assize.judgment import Judgment
from assize.signature import json_hash
from assize.webapp.queue.assignment import Chosen
from assize.webapp.queue.chance import chance
from assize.webapp.queue.counters import reopened
from assize.webapp.queue.editions import ANSWERED
from assize.webapp.queue.standing import joined, standing
from assize.webapp.storage.schema import (
    answers,
    assignments,
    item_editions,
    items,
    people,
    tasks,
)
from assize.webapp.tasks.definition import Task
from assize.webapp.tasks.kind import Rating
from assize.webapp.tasks.kinds import kind_of
from assize.webapp.tasks.proofread import Proofread, ProofreadSettings
from assize.webapp.tasks.settings import settings_of

ORIGIN = "written"
WROTE: Chosen = "written"


@dataclass(frozen=True, slots=True)
class Written:
    """A conversation that a person wrote; `writer` is their number."""

    conversation: Conversation
    writer: int


def written(connection: Connection, task: Task) -> list[Written]:
    """What holds now of a task: the conversations of forms that were submitted and not undone."""
    a, i, h, p = assignments.c, items.c, answers.c, people.c
    asked = (
        select(ANSWERED.label("record"), a.person, a.repeat, p.name, h.answers)
        .select_from(
            assignments.join(items, a.item == i.id)
            .join(people, a.person == p.id)
            .join(tasks, a.task == tasks.c.id)
            .join(answers, and_(h.assignment == a.id, h.number == a.revision - 1))
            .outerjoin(item_editions, item_editions.c.id == h.edition)
        )
        .where(tasks.c.name == task.name, a.state == "done", i.purpose == "rate")
        .order_by(a.submitted, a.id)
    )
    kind = kind_of(task)
    found = []
    for row in connection.execute(asked):
        item = parse(row.record)
        assert not isinstance(item, Judgment)
        rating = Rating(row.name, 0, 0.0, "", repeat=row.repeat, person=row.person)
        for one in kind.made(task, item, row.answers or {}, rating):
            if isinstance(one, Conversation):
                found.append(Written(one, row.person))
    return found


def pass_on(connection: Connection, project_tasks: Sequence[Task]) -> int:
    """Gives proofreaders what writers have sent; how many items are new or changed.

    Called after a writer has submitted or undone something, and when the app starts; nothing
    happens where nothing has changed. A writer never gets their own. What was undone or edited is
    removed or replaced as long as nobody was given it to read. What was proofread elsewhere and
    imported, where its writer has another number and so another token, is not passed on again.
    """
    named = {one.name: one for one in project_tasks}
    changed = 0
    for reading in project_tasks:
        if reading.kind != Proofread.name:
            continue
        source = named.get(settings_of(reading, ProofreadSettings).of)
        if source is not None:
            changed += _passed(connection, reading, written(connection, source))
    return changed


def _passed(connection: Connection, reading: Task, sent: Sequence[Written]) -> int:
    number = connection.execute(
        select(tasks.c.id).where(tasks.c.name == reading.name)
    ).scalar_one_or_none()
    if number is None:
        return 0
    there = {row.key: row for row in _there(connection, number)}
    imported = _imported(connection, number)
    changed = 0
    for one in sent:
        record = to_json(one.conversation)
        known = imported.get(_text(record))
        if known is not None:
            _keep_from(connection, reading, known, one.writer)
            continue
        row = there.pop(one.conversation.id, None)
        if row is None:
            _added(connection, reading, number, one)
        elif row.taken or (row.hash == json_hash(record) and not row.removed):
            continue
        else:
            connection.execute(
                update(items)
                .where(items.c.id == row.id)
                .values(record=record, hash=json_hash(record), removed=False, open=True)
            )
        changed += 1
    gone = [row.id for row in there.values() if not row.taken and not row.removed]
    if gone:
        connection.execute(
            update(items).where(items.c.id.in_(gone)).values(removed=True, open=False)
        )
    if changed or gone:
        _sized(connection, number)
    return changed + len(gone)


def _there(connection: Connection, number: int) -> Iterator[Any]:
    i = items.c
    asked = select(i.id, i.key, i.hash, i.taken, i.removed)
    yield from connection.execute(asked.where(i.task == number, i.origin == ORIGIN))


def _added(connection: Connection, reading: Task, number: int, one: Written) -> None:
    """Adds an item that its writer does not get."""
    record, key = to_json(one.conversation), one.conversation.id
    place = connection.execute(
        select(func.count()).select_from(items).where(items.c.task == number)
    ).scalar_one()
    rank = chance(reading.seed, "rank", key)
    made = insert(items).values(
        task=number, key=key, origin=ORIGIN, purpose="rate", place=place, rank=rank,
        hash=json_hash(record), record=record,
    )  # fmt: skip
    item = int(connection.execute(made.returning(items.c.id)).scalar_one())
    reopened(connection, reading, number, rank, place)
    _keep_from(connection, reading, item, one.writer)


def _imported(connection: Connection, number: int) -> dict[str, int]:
    """By what it says, the number of each item that was proofread elsewhere."""
    i = items.c
    asked = select(i.id, i.record).where(i.task == number, i.origin == "imported")
    return {_text(row.record): row.id for row in connection.execute(asked)}


def _text(record: Mapping[str, Any]) -> str:
    """The same for all that differ in the writer's token alone."""
    about = record.get("metadata", {})
    written = about.get("written")
    if isinstance(written, Mapping):
        about = {**about, "written": {**written, "by": None}}
    return json_hash({**record, "id": None, "metadata": about})


def _keep_from(connection: Connection, reading: Task, item: int, writer: int) -> None:
    """Makes the assignment that keeps a writer from getting what they wrote."""
    a = assignments.c
    there = select(a.id).where(a.item == item, a.person == writer, a.repeat == 0)
    if connection.execute(there).first() is not None:
        return
    who = joined(connection, standing(connection, reading, writer))
    connection.execute(
        insert(assignments).values(
            task=who.task, item=item, person=writer, repeat=0, draw=who.draws,
            state="withdrawn", chosen=WROTE, revision=0, version=who.version,
            created=0.0, touched=0.0, seconds=0.0,
        )
    )  # fmt: skip


def _sized(connection: Connection, number: int) -> None:
    i = items.c
    mine = and_(i.task == number, i.purpose == "rate", i.removed.is_(False))
    size = connection.execute(select(func.count()).select_from(items).where(mine)).scalar_one()
    connection.execute(update(tasks).where(tasks.c.id == number).values(size=size))
