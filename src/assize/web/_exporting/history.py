"""Everything that people did with a task's items, one record an assignment.

Judgments say what holds now; this says how it came to be: each time that something was submitted,
skipped, undone, sent back or taken back, with seconds of work until then. Times are in seconds
since 1970.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select

from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks.definition import Task

_A, _H = assignments.c, answers.c
_ASSIGNMENT = (
    items.c.key.label("item"),
    people.c.name.label("rater"),
    items.c.purpose,
    _A.repeat,
    _A.chosen,
    _A.order,
    _A.pilot,
    _A.created,
    _A.suggestion,
)
_EVENT = (_H.event, _H.version, _H.at, _H.seconds.label("worked"), _H.answers, _H.reason)
_EVENTS = (
    select(_A.id, *_ASSIGNMENT, *_EVENT)
    .join(items, items.c.id == _A.item)
    .join(people, people.c.id == _A.person)
    .join(tasks, tasks.c.id == _A.task)
    .join(answers, _H.assignment == _A.id)
    .order_by(_A.id, _H.number)
)


def history(connection: Connection, task: Task) -> Iterator[dict[str, Any]]:
    """Yield what was done with a task's items, in the order in which they were given.

    Those who were given an item and did nothing have no record.
    """
    rows = connection.execution_options(yield_per=1_000).execute(
        _EVENTS.where(tasks.c.name == task.name)
    )
    for _, of_assignment in groupby(rows.mappings(), key=lambda row: row["id"]):
        events = list(of_assignment)
        record = {column.key: events[0][column.key] for column in _ASSIGNMENT}
        steps = [{column.key: row[column.key] for column in _EVENT} for row in events]
        yield record | {"events": [step | {"seconds": step.pop("worked")} for step in steps]}
