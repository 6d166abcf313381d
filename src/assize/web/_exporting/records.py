"""The records behind the ratings: the items, and what raters made of them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, not_, or_, select

from assize.base.conversation import Item
from assize.base.errors import AssizeError
from assize.web._exporting.ratings import last_answers, rating_of
from assize.web._storage.schema import assignments, items, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.inputs import read_item
from assize.web._tasks.kinds import kind_of

_A, _I, _T = assignments.c, items.c, tasks.c


def items_of(connection: Connection, task: Task) -> Iterator[Item]:
    """A task's items, each once: those of its files, those that were collected, and those that
    were answered and are gone from the files, or were changed."""
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
            yield read_item(row.record)


def made_by(connection: Connection, task: Task) -> Iterator[Item]:
    """The records that submitted forms made, such as written conversations; not of pilots."""
    for row in last_answers(connection, task):
        if row.state != "done":
            continue
        try:
            yield from kind_of(task).made(
                task, read_item(row.record), row.answers or {}, rating_of(row)
            )
        except (AssizeError, LookupError):  # of a version that asked something else
            continue
