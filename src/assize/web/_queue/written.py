"""What was written in one task, for proofreaders of another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, select

from assize.base.conversation import Conversation
from assize.web._queue.assignment import Chosen
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.inputs import read_item
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of

WROTE: Chosen = "written"

_A, _H, _I, _P, _T = assignments.c, answers.c, items.c, people.c, tasks.c


def written(connection: Connection, task: Task) -> Iterator[tuple[Conversation, Row[Any]]]:
    """What holds now of a task: the conversations of forms that were submitted and not undone.

    Each with the `id` and `revision` of its assignment, and of its writer `person`, the number,
    and `deleted`, when they left the project.
    """
    asked: Select[Any] = (
        select(
            _I.record,
            _A.id,
            _A.person,
            _A.repeat,
            _A.revision,
            _P.name,
            _P.deleted,
            _H.answers,
        )
        .select_from(
            assignments.join(items, _A.item == _I.id)
            .join(people, _A.person == _P.id)
            .join(tasks, _A.task == _T.id)
            .join(answers, and_(_H.assignment == _A.id, _H.number == _A.revision - 1))
        )
        .where(_T.name == task.name, _I.purpose == "rate", _A.state == "done")
        .order_by(_H.at, _A.id)
    )
    kind = kind_of(task)
    for row in connection.execute(asked).all():
        rating = Rating(row.name, 0, 0.0, "", repeat=row.repeat, person=row.person)
        for one in kind.made(task, read_item(row.record), row.answers or {}, rating):
            if isinstance(one, Conversation):
                yield one, row
