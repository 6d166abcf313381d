"""What a proofreader rejected goes back to its writer, and what is written anew to proofreaders.

    rejected              the writer's item opens again, their text as its draft
    submitted, changed    a new edition of the proofreaders' item, to be read again
    submitted unchanged   the writer stands by it; the rejection stays
    rejected no longer    what went back is submitted again, where its writer changed nothing

All four follow from what holds in both tasks, whoever did what in between. They run by
`Store.write`, which is alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from assize.signature import json_hash
from assize.webapp.queue.answering import send_back, submit, undo
from assize.webapp.queue.assigning import withdraw
from assize.webapp.queue.assignment import Gone
from assize.webapp.queue.editions import keep_edition
from assize.webapp.queue.written import Written
from assize.webapp.storage.schema import answers, assignments, comments, items
from assize.webapp.tasks.definition import Task
from assize.webapp.tasks.proofread import COMMENT, REJECTED, VERDICT

_A, _H = assignments.c, answers.c


@dataclass(frozen=True, slots=True)
class Rejection:
    """A proofreader's verdict that stands; `at` is when it was submitted."""

    assignment: int
    person: int
    revision: int
    comment: str
    at: float


def rejections(connection: Connection, number: int) -> dict[int, Rejection]:
    """By item, the rejections of a task that stand, of what the items say now.

    Args:
        number: the proofreaders' task.
    """
    asked = (
        select(_A.item, _A.id, _A.person, _A.revision, _H.answers, _H.at)
        .join(answers, and_(_H.assignment == _A.id, _H.number == _A.revision - 1))
        .where(_A.task == number, _A.state == "done", _H.edition.is_(None))
    )
    return {
        row.item: Rejection(
            row.id, row.person, row.revision, str(row.answers.get(COMMENT, "")), row.at
        )
        for row in connection.execute(asked)
        if row.answers and row.answers.get(VERDICT) == REJECTED
    }


def to_writer(
    connection: Connection, source: Task, one: Written, why: Rejection, now: float
) -> bool:
    """Opens what was rejected for its writer again, with what the proofreader said.

    Where the writer left the project, others get the item instead.

    Returns:
        Whether it went back: not where the task is closed, nor where it was submitted as it is
        after the rejection.
    """
    if why.at < one.submitted:
        return False
    if one.left:
        withdraw(connection, source, one.assignment, now)
        return True
    given = (connection, source, one.assignment, one.writer, one.revision)
    try:
        opened = send_back(*given, now=now)
    except Gone:
        return False
    connection.execute(
        insert(comments).values(
            task=opened.task,
            item=opened.item,
            assignment=opened.id,
            person=why.person,
            kind="comment",
            text=why.comment,
            at=now,
            settled=now,
        )
    )
    return True


def hold_again(connection: Connection, source: Task, one: Written, now: float) -> bool:
    """Submits for its writer what went back and is rejected no longer; whether it did.

    Not where the writer has changed something, nor where the task is closed.
    """
    if one.draft != one.answers:
        return False
    given = (connection, source, one.assignment, one.writer, one.revision, one.answers)
    try:
        submit(*given, now=now)
    except Gone:
        return False
    return True


def read_anew(
    connection: Connection,
    reading: Task,
    item: int,
    record: Mapping[str, Any],
    why: Rejection,
    now: float,
) -> bool:
    """Makes what was written anew an edition of its own, first for who rejected what was before.

    It is kept for them as an item that they opened; then any proofreader gets it. Their rejection
    stays in the history.

    Returns:
        Whether it was made: not where the task is closed.
    """
    try:
        undo(connection, reading, why.assignment, why.person, why.revision, now=now)
    except Gone:
        return False
    connection.execute(update(assignments).where(_A.id == why.assignment).values(draft=None))
    reword(connection, item, record, now)
    return True


def reword(connection: Connection, item: int, record: Mapping[str, Any], now: float) -> None:
    """Lets an item say something else, and keeps what it said for the answers to it."""
    i = items.c
    before = connection.execute(select(i.record).where(i.id == item)).scalar_one()
    mine = select(_H.id).join(assignments, _A.id == _H.assignment).where(_A.item == item)
    if before != record and connection.execute(mine.limit(1)).first() is not None:
        keep_edition(connection, item, before, record, now)
    connection.execute(
        update(items).where(i.id == item).values(record=record, hash=json_hash(record))
    )
