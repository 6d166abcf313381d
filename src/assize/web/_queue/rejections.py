"""Texts that proofreaders rejected, and how a lead sends one back to its writer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, insert, select

from assize.base.errors import ConfigError
from assize.web._queue.answer import send_back
from assize.web._queue.reassign import withdraw
from assize.web._queue.written import written
from assize.web._storage.schema import answers, assignments, comments, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.proofread import COMMENT, REJECTED, VERDICT

_A, _H, _I = assignments.c, answers.c, items.c


def rejections(
    connection: Connection, source: Task, reading: Task
) -> list[tuple[Row[Any], Row[Any]]]:
    """The texts that a lead may send back, in the order in which they were rejected.

    Args:
        source: the writers' task; reading: the proofreaders' task.

    Returns:
        The proofreader's row, as `rejected_rows` has it, and the writer's, as `written` has it.
    """
    texts = {text.id: form for text, form in written(connection, source)}
    rows = rejected_rows(connection, reading)
    return [(row, texts[row.record["id"]]) for row in rows if row.record["id"] in texts]


def rejected_rows(connection: Connection, reading: Task) -> Iterator[Row[Any]]:
    """The open items of a task that stand rejected, each with its verdict and who gave it."""
    asked: Select[Any] = (
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
    known = {row.item: (row, form) for row, form in rejections(connection, source, reading)}
    if item not in known:
        raise ConfigError("only a rejected text that its writer has not taken back is sent back")
    verdict, form = known[item]
    if form.deleted is not None:
        withdraw(connection, source, form.id, now)
        return
    opened = send_back(connection, source, form.id, form.person, form.revision, now=now)
    connection.execute(
        insert(comments).values(
            task=opened.task,
            item=opened.item,
            assignment=opened.id,
            person=verdict.person,
            kind="comment",
            text=str(verdict.answers.get(COMMENT, "")),
            at=now,
            settled=now,
        )
    )
