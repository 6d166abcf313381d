"""Everything that people did with a task's items, one record an assignment.

Judgments say what holds now; this says how it came to be: each time that something was submitted,
skipped, undone, sent back or taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, select

from assize.base.judgment import Order
from assize.web._queue.assignment import Chosen, Purpose
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks.definition import Task

_A, _H, _I, _P, _T = assignments.c, answers.c, items.c, people.c, tasks.c
_EVENTS = (
    select(
        _A.id,
        _I.key,
        _I.purpose,
        _P.name,
        _A.repeat,
        _A.chosen,
        _A.order,
        _A.pilot,
        _A.created,
        _A.suggestion,
        _H.event,
        _H.version,
        _H.answers,
        _H.reason,
        _H.seconds,
        _H.at,
    )
    .join(items, _I.id == _A.item)
    .join(people, _P.id == _A.person)
    .join(tasks, _T.id == _A.task)
    .join(answers, _H.assignment == _A.id)
    .order_by(_A.id, _H.number)
)
_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that was done.

    Args:
        at: in seconds since 1970; seconds: of work until then.
    """

    event: Literal["submit", "skip", "undo", "return", "withdraw"]
    version: int
    at: float
    seconds: float = 0.0
    answers: dict[str, str | list[str]] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """What one person did with one item; those who were given it and did nothing have none."""

    item: str
    rater: str
    purpose: Purpose
    repeat: int
    chosen: Chosen
    order: Order | None
    pilot: bool
    created: float
    suggestion: dict[str, Any] | None
    events: list[Event] = field(default_factory=list)


def history(connection: Connection, task: Task) -> Iterator[Worked]:
    """All that was done with a task's items, in the order in which they were given."""
    rows = connection.execution_options(yield_per=_BATCH).execute(
        _EVENTS.where(_T.name == task.name)
    )
    number, one = -1, None
    for row in rows:
        if row.id != number or one is None:
            if one is not None:
                yield one
            number, one = row.id, _begun(row)
        one.events.append(
            Event(
                event=row.event,
                version=row.version,
                at=row.at,
                seconds=row.seconds,
                answers=row.answers,
                reason=row.reason,
            )
        )
    if one is not None:
        yield one


def _begun(row: Any) -> Worked:
    return Worked(
        item=row.key,
        rater=row.name,
        purpose=row.purpose,
        repeat=row.repeat,
        chosen=row.chosen,
        order=row.order,
        pilot=row.pilot,
        created=row.created,
        suggestion=row.suggestion,
    )
