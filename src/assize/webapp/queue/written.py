"""What was written, or read and let through, in one task for proofreaders of another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, select

from assize.conversation import Conversation
from assize.formats import to_json
from assize.formats.records import parse
from assize.judgment import Judgment
from assize.webapp.forms import Answers
from assize.webapp.queue.assignment import Chosen
from assize.webapp.queue.editions import ANSWERED
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

WROTE: Chosen = "written"

_A, _H, _I, _P, _T = assignments.c, answers.c, items.c, people.c, tasks.c


@dataclass(frozen=True, slots=True)
class Written:
    """A conversation that a person's form made.

    Args:
        writer: the number of the person; left: whether they left the project.
        before: who else had a hand in it, such as its writer where the person proofread it.
        assignment: the form's, with its revision and when it was submitted.
        answers: what was submitted.
        draft: what stands in the form now, where it was opened again.
    """

    conversation: Conversation
    writer: int
    left: bool
    before: frozenset[int]
    assignment: int
    item: int
    revision: int
    submitted: float
    answers: Answers
    draft: Answers | None

    @property
    def record(self) -> dict[str, Any]:
        """The conversation as it is kept."""
        return to_json(self.conversation)


def written(connection: Connection, task: Task) -> list[Written]:
    """What holds now of a task: the conversations of forms that were submitted and not undone."""
    last = _H.number == _A.revision - 1
    return list(_made(connection, task, last, _A.state == "done"))


def sent_back(connection: Connection, task: Task) -> list[Written]:
    """What went back to its writers, who have not submitted it again."""
    last = answers.alias("last")
    returned = (
        select(last.c.id)
        .where(last.c.assignment == _A.id, last.c.number == _A.revision - 1)
        .where(last.c.event == "return")
    )
    before = _H.number == _A.revision - 2
    return list(_made(connection, task, before, and_(_A.state == "reserved", returned.exists())))


def _made(
    connection: Connection, task: Task, event: ColumnElement[bool], which: ColumnElement[bool]
) -> Iterator[Written]:
    asked = (
        select(
            ANSWERED.label("record"),
            _A.id,
            _A.item,
            _A.person,
            _A.repeat,
            _A.revision,
            _A.draft,
            _P.name,
            _P.deleted,
            _H.answers,
            _H.at,
        )
        .select_from(
            assignments.join(items, _A.item == _I.id)
            .join(people, _A.person == _P.id)
            .join(tasks, _A.task == _T.id)
            .join(answers, and_(_H.assignment == _A.id, event))
            .outerjoin(item_editions, item_editions.c.id == _H.edition)
        )
        .where(_T.name == task.name, _I.purpose == "rate", which)
        .order_by(_H.at, _A.id)
    )
    kind, before = kind_of(task), _wrote(connection, task)
    for row in connection.execute(asked):
        item = parse(row.record)
        assert not isinstance(item, Judgment)
        given = row.answers or {}
        rating = Rating(row.name, 0, 0.0, "", repeat=row.repeat, person=row.person)
        for one in kind.made(task, item, given, rating):
            if isinstance(one, Conversation):
                yield Written(
                    one,
                    row.person,
                    row.deleted is not None,
                    before.get(row.item, frozenset()),
                    row.id,
                    row.item,
                    row.revision,
                    row.at,
                    given,
                    row.draft,
                )


def _wrote(connection: Connection, task: Task) -> Mapping[int, frozenset[int]]:
    """By item, those who do not get it because they had a hand in it."""
    asked = (
        select(_A.item, _A.person)
        .join(tasks, _A.task == _T.id)
        .where(_T.name == task.name, _A.chosen == WROTE)
    )
    found = defaultdict[int, frozenset[int]](frozenset)
    for row in connection.execute(asked):
        found[row.item] |= {row.person}
    return found
