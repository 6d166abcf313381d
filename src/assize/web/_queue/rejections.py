"""Texts that proofreaders rejected, and how a lead sends one back to its writer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, insert, select

from assize.base.errors import ConfigError
from assize.web._queue.answer import send_back
from assize.web._queue.reassign import withdraw
from assize.web._queue.written import Written, written
from assize.web._storage.schema import answers, assignments, comments, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.proofread import COMMENT, REJECTED, VERDICT

_A, _H, _I = assignments.c, answers.c, items.c


@dataclass(frozen=True, slots=True)
class Rejection:
    """A text that stands rejected, and that its writer has not taken back.

    Args:
        item: the proofreaders' item; `key` is the text's own id.
        proofreader: their name; `person` their number.
        comment: what the writer should know.
        at: when it was rejected, in seconds since 1970.
    """

    item: int
    key: str
    proofreader: str
    person: int
    comment: str
    at: float
    text: Written


def rejections(connection: Connection, source: Task, reading: Task) -> list[Rejection]:
    """The texts that a lead may send back, in the order in which they were rejected.

    Args:
        source: the writers' task; reading: the proofreaders' task.
    """
    texts = {text.conversation.id: text for text in written(connection, source)}
    return [
        Rejection(
            row.item,
            row.key,
            row.name,
            row.person,
            str(row.answers.get(COMMENT, "")),
            row.at,
            texts[row.record["id"]],
        )
        for row in rejected_rows(connection, reading)
        if row.record["id"] in texts
    ]


def rejected_rows(connection: Connection, reading: Task) -> Iterator[Any]:
    """The open items of a task that stand rejected, each with its verdict and who gave it."""
    asked = (
        select(_A.item, _I.key, _I.record, _A.person, people.c.name, _H.answers, _H.at)
        .join(answers, and_(_H.assignment == _A.id, _H.number == _A.revision - 1))
        .join(items, _I.id == _A.item)
        .join(people, people.c.id == _A.person)
        .join(tasks, tasks.c.id == _A.task)
        .where(tasks.c.name == reading.name, _A.state == "done", _I.removed.is_(False))
        .order_by(_H.at, _A.id)
    )
    for row in connection.execute(asked).all():
        if row.answers and row.answers.get(VERDICT) == REJECTED:
            yield row


def send_text_back(
    connection: Connection, source: Task, reading: Task, item: int, now: float
) -> None:
    """Opens what was rejected for its writer again, with what the proofreader said.

    Where the writer left the project, others get the brief instead.

    Args:
        source: the writers' task; reading: the proofreaders' task.
        item: the number of the proofreaders' item.

    Raises:
        ConfigError: the item is no text that stands rejected and submitted.
        Gone: the writers' task is closed.
    """
    rejection = next(
        (one for one in rejections(connection, source, reading) if one.item == item), None
    )
    if rejection is None:
        raise ConfigError("only a rejected text that its writer has not taken back is sent back")
    text = rejection.text
    if text.left:
        withdraw(connection, source, text.assignment, now)
        return
    opened = send_back(connection, source, text.assignment, text.writer, text.revision, now=now)
    connection.execute(
        insert(comments).values(
            task=opened.task,
            item=opened.item,
            assignment=opened.id,
            person=rejection.person,
            kind="comment",
            text=rejection.comment,
            at=now,
            settled=now,
        )
    )
