"""The records behind the ratings: the items, earlier editions, and what raters made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from sqlalchemy import Connection, not_, or_, select

from assize.conversation import Item
from assize.errors import AssizeError
from assize.webapp.exporting.ratings import last_answers, rating_of, record_of
from assize.webapp.storage.schema import (
    answers,
    assignments,
    discussions,
    item_editions,
    items,
    tasks,
)
from assize.webapp.tasks.definition import Task
from assize.webapp.tasks.kinds import kind_of

_A, _E, _I, _T = assignments.c, item_editions.c, items.c, tasks.c


class Edition(BaseModel):
    """What an item said before it was changed; answers to it name the number.

    Args:
        until: when it was changed, in seconds since 1970.
    """

    model_config = ConfigDict(extra="forbid")
    item: str
    purpose: Literal["rate", "gold", "qualify"] = "rate"
    edition: int
    until: float
    record: dict[str, Any]


def items_of(connection: Connection, task: Task) -> Iterator[Item]:
    """A task's items, each once: those of its files, those that were collected, and those that
    are gone from the files and were answered."""
    answered = select(_A.id).where(_A.item == _I.id, _A.state.in_(("done", "skipped")))
    asked = (
        select(_I.key, _I.record)
        .join(tasks, _T.id == _I.task)
        .where(_T.name == task.name, or_(not_(_I.removed), answered.exists()))
        .order_by(_I.purpose.desc(), _I.place, _I.id)
    )
    seen = set[str]()
    for row in connection.execution_options(yield_per=500).execute(asked):
        if row.key not in seen:
            seen.add(row.key)
            yield record_of(row.record)


def editions_of(connection: Connection, task: Task) -> Iterator[Edition]:
    """Earlier editions of a task's items of which something was answered or settled."""
    answered = select(answers.c.id).where(answers.c.edition == _E.id)
    settled = select(discussions.c.id).where(discussions.c.edition == _E.id)
    asked = (
        select(_I.key, _I.purpose, _E.number, _E.until, _E.record)
        .join(items, _I.id == _E.item)
        .join(tasks, _T.id == _I.task)
        .where(_T.name == task.name, or_(answered.exists(), settled.exists()))
        .order_by(_I.purpose.desc(), _I.place, _I.id, _E.number)
    )
    for row in connection.execution_options(yield_per=500).execute(asked):
        yield Edition.model_construct(
            item=row.key,
            purpose=row.purpose,
            edition=row.number,
            until=row.until,
            record=row.record,
        )


def made_by(
    connection: Connection, task: Task, *, pilot: bool = False, qualification: bool = False
) -> Iterator[Item]:
    """The records that submitted forms made, such as written conversations; arguments as of
    `ratings`."""
    kind = kind_of(task)
    for row in last_answers(connection, task, pilot=pilot, qualification=qualification):
        if row.state != "done":
            continue
        try:
            yield from kind.made(task, record_of(row.record), row.answers or {}, rating_of(row))
        except (AssizeError, LookupError):  # of a version that asked something else
            continue
