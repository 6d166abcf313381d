"""What was written in one task, for proofreaders of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, and_, select

from assize.base.conversation import Conversation
from assize.base.judgment import Judgment
from assize.formats.records import parse
from assize.web._queue.assignment import Chosen
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of

WROTE: Chosen = "written"

_A, _H, _I, _P, _T = assignments.c, answers.c, items.c, people.c, tasks.c


@dataclass(frozen=True, slots=True)
class Written:
    """A conversation that a person's form made.

    Args:
        writer: the number of the person; left: whether they left the project.
        assignment: the form's, with its revision.
    """

    conversation: Conversation
    writer: int
    left: bool
    assignment: int
    revision: int


def written(connection: Connection, task: Task) -> Iterator[Written]:
    """What holds now of a task: the conversations of forms that were submitted and not undone."""
    asked = (
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
        item = parse(row.record)
        assert not isinstance(item, Judgment)
        rating = Rating(row.name, 0, 0.0, "", repeat=row.repeat, person=row.person)
        for one in kind.made(task, item, row.answers or {}, rating):
            if isinstance(one, Conversation):
                yield Written(one, row.person, row.deleted is not None, row.id, row.revision)
