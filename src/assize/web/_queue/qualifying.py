"""The qualification: a round of known items, graded when its last is answered."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, exists, insert, not_, select, update

from assize.web._queue.participant import Participant
from assize.web._storage.schema import answers, assignments, items, qualifications
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.inputs import read_item
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.marking import answer_in, is_right, known_as, question_of


@dataclass(frozen=True, slots=True)
class Grade:
    """How many of the known answers a person gave; a question left out is wrong."""

    right: int
    asked: int

    @property
    def share(self) -> float:
        """In [0, 1]; NaN where nothing was asked."""
        return self.right / self.asked if self.asked else math.nan


def next_qualifying(connection: Connection, found: Participant) -> int | None:
    """The first item of the person's round that they have not answered; None at its end."""
    a, i = assignments.c, items.c
    had = exists().where(
        a.item == i.id, a.person == found.person, a.repeat == found.attempt, a.state != "expired"
    )
    asked = (
        select(i.id)
        .where(i.task == found.task, i.purpose == "qualify", i.open.is_(True), not_(had))
        .order_by(i.place)
        .limit(1)
    )
    row = connection.execute(asked).first()
    return None if row is None else int(row.id)


def graded(connection: Connection, task: Task, found: Participant) -> Participant:
    """The person after their round: passed, at the next attempt, or failed.

    Raises:
        DataError: the round has no items, which nobody passes or fails.
    """
    if task.qualification is None:
        return found
    share = grade(connection, task, found).share
    if math.isnan(share):
        raise problem_in(task, "it has no items; name a file with some", "qualification", "items")
    if share >= task.qualification.least:
        after = replace(found, qualified="passed")
    elif found.attempt + 1 < task.qualification.attempts:
        after = replace(found, attempt=found.attempt + 1)
    else:
        after = replace(found, qualified="failed")
    q = qualifications.c
    result = {"attempt": after.attempt, "result": after.qualified}
    mine = update(qualifications).where(q.task == found.task, q.person == found.person)
    if connection.execute(mine.values(result)).rowcount == 0:
        row = {"task": found.task, "person": found.person, **result}
        connection.execute(insert(qualifications).values(row))
    return after


def grade(connection: Connection, task: Task, found: Participant) -> Grade:
    """The grade of the person's present round; what they skipped is wrong."""
    a, i, h = assignments.c, items.c, answers.c
    asked = (
        select(i.record, i.expected, a.state, h.answers)
        .join(assignments, a.item == i.id)
        .outerjoin(answers, (h.assignment == a.id) & (h.number == a.revision - 1))
        .where(a.task == found.task, a.person == found.person, a.chosen == "qualify")
        .where(a.repeat == found.attempt, not_(i.removed))
    )
    right = total = 0
    for row in connection.execute(asked):
        expected = row.expected or {}
        given = _said(task, row.record, row.answers) if row.state == "done" else {}
        right += rightly(task, expected, given)
        total += len(expected)
    return Grade(right, total)


def _said(task: Task, record: Mapping[str, object], given: object) -> dict[str, str | None]:
    assert isinstance(given, dict)
    made = kind_of(task).judgments(task, read_item(record), given, Rating("", 0, 0.0, ""))
    return {known_as(one.question, one.turn): answer_in(one) for one in made}


def rightly(task: Task, expected: Mapping[str, str], given: Mapping[str, str | None]) -> int:
    """How many of the expected answers were given, or lie within the places allowed.

    Args:
        expected: by question, as `known_as` names it; every one counts once.
        given: by question; None and a question that is not there are wrong.
    """
    within = 0 if task.qualification is None else task.qualification.within
    scales = {one.id: one for one in kind_of(task).questions(task)}
    return sum(
        is_right(question_of(name, scales), given.get(name), answer, within)
        for name, answer in expected.items()
    )
