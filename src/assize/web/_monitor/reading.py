"""From the database to what the monitor looks at; only what is new is read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, or_, select

from assize.base.errors import AssizeError
from assize.base.judgment import Judgment
from assize.base.signature import json_hash
from assize.judgments import JudgmentTable
from assize.stats._arrays import IntArray
from assize.web._monitor.collected import Collected, Work
from assize.web._monitor.records import read_items
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.proofread import Proofread


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A task's judgments as they were when it was read.

    Args:
        version: of the task, its data and people's names; another one is read anew.
        last, count: the newest row of the answers' history, and how many rows there are.
        owner: (N,) the assignment of each judgment.
        unreadable: submitted forms of which an older version of the task made no judgments that
            can be made now.
    """

    version: str
    last: int
    count: int
    table: JudgmentTable
    owner: IntArray
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class TaskItems:
    """A task's items that are not removed.

    Args:
        to_rate: ids of the items to be rated, in the order of the file.
        expected: right answers of gold items and of those of the qualification, by question.
    """

    number: int | None
    to_rate: Sequence[str] = ()
    expected: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def task_items(connection: Connection, task: Task) -> TaskItems:
    """The ids of a task's items; none of a task that nobody has opened yet."""
    number = number_of(connection, task)
    rows = connection.execute(
        select(items.c.key, items.c.purpose, items.c.expected)
        .where(items.c.task == number, ~items.c.removed)
        .order_by(items.c.place)
    ).all()
    expected = {
        row.key: {name: str(answer) for name, answer in row.expected.items()}
        for row in rows
        if row.purpose != "rate" and row.expected
    }
    return TaskItems(number, [row.key for row in rows if row.purpose == "rate"], expected)


def number_of(connection: Connection, task: Task) -> int | None:
    """The task's number in the database; None of one that nobody has opened yet."""
    found: int | None = connection.execute(
        select(tasks.c.id).where(tasks.c.name == task.name)
    ).scalar_one_or_none()
    return found


@dataclass(frozen=True, slots=True, eq=False)
class WorkRead:
    """All assignments of a task, by number, as they were when they were read.

    Args:
        version: of the task, its data and people's names; with another one all is read anew.
        touched: when the newest of them changed.
    """

    version: str
    touched: float
    work: Mapping[int, Work]


def read_work(connection: Connection, task: Task, before: WorkRead | None = None) -> WorkRead:
    """All assignments of a task.

    Args:
        before: what was read earlier; only what may have changed is read again, and it is
            returned itself where nothing has.
    """
    number, version = number_of(connection, task), _version(connection, task)
    a = assignments.c
    count = connection.execute(
        select(func.count()).select_from(assignments).where(a.task == number)
    ).scalar_one()
    known = before if before is not None and before.version == version else None
    rows = _assignments(connection, number, None if known is None else known.touched)
    fresh = dict(_work(rows, _reasons(connection, number)))
    if known is not None and len(known.work.keys() | fresh.keys()) != count:
        return read_work(connection, task)  # something was taken out
    if known is not None and all(known.work.get(at) == one for at, one in fresh.items()):
        return known
    work = fresh if known is None else dict(sorted({**known.work, **fresh}.items()))
    newest = max((row.touched for row in rows), default=0.0 if known is None else known.touched)
    return WorkRead(version, newest, work)


def _assignments(connection: Connection, number: int | None, after: float | None) -> Sequence[Any]:
    """Those that changed since, and those in a state that changes by itself."""
    a = assignments.c
    asked = (
        select(
            a.id,
            people.c.name,
            items.c.key,
            a.state,
            items.c.purpose,
            a.chosen,
            a.repeat,
            a.created,
            a.submitted,
            a.seconds,
            a.pilot,
            a.touched,
        )
        .join(people, people.c.id == a.person)
        .join(items, items.c.id == a.item)
        .where(a.task == number)
        .order_by(a.id)
    )
    if after is not None:
        moving = a.state.in_(("reserved", "expired", "withdrawn"))
        asked = asked.where(or_(a.touched >= after, moving))
    return connection.execute(asked).all()


def _work(rows: Sequence[Any], why: Mapping[int, str]) -> Iterator[tuple[int, Work]]:
    for one in rows:
        reason = why.get(one.id) if one.state == "skipped" else None
        yield (
            one.id,
            Work(
                one.name,
                one.key,
                one.state,
                one.purpose,
                one.chosen,
                one.repeat,
                one.created,
                one.submitted,
                one.seconds,
                reason,
                one.pilot,
            ),
        )


def _reasons(connection: Connection, number: int | None) -> dict[int, str]:
    """Why each skipped assignment was skipped."""
    rows = connection.execute(
        select(answers.c.assignment, answers.c.reason)
        .join(assignments, assignments.c.id == answers.c.assignment)
        .where(assignments.c.task == number, assignments.c.state == "skipped")
        .where(answers.c.event == "skip")
        .order_by(answers.c.number)
    )
    return {row.assignment: row.reason for row in rows if row.reason}


def read_judgments(connection: Connection, task: Task, before: Reading | None = None) -> Reading:
    """The judgments of what holds now: of each assignment its last answers, if none are undone.

    Args:
        before: what was read earlier; only assignments with newer answers are read again.
    """
    number = number_of(connection, task)
    version = _version(connection, task)
    known = before if before is not None and before.version == version else None
    last, count = _state(connection, number)
    start = -1 if known is None else known.last
    rows = _events(connection, number, start)
    if known is not None and known.count + len(rows) != count:  # something was taken out
        known, rows = None, _events(connection, number, -1)
    newest = {row.assignment: row for row in rows}
    pieces, unreadable = _judged(connection, task, list(newest.values()))
    owner = np.array([one for one, made in pieces for _ in made], dtype=np.int64)
    table = JudgmentTable.of(
        [row for _, made in pieces for row in made], kind_of(task).questions(task)
    )
    if known is not None:
        kept = ~np.isin(known.owner, list(newest))
        table = JudgmentTable.concat([known.table.filter(kept), table])
        owner = np.concatenate([known.owner[kept], owner])
        unreadable += known.unreadable
    return Reading(version, last, count, table, owner, unreadable)


def answers_given(connection: Connection, task: Task) -> tuple[str, int, int]:
    """What a reading's version, last and count would be now."""
    number = number_of(connection, task)
    return (_version(connection, task), *_state(connection, number))


def _version(connection: Connection, task: Task) -> str:
    """Changes where an earlier reading no longer holds: with the task, its data, and names.

    A rejected text that is written anew renames the item of the old one, and adds one.
    """
    data = connection.execute(select(tasks.c.data).where(tasks.c.name == task.name)).scalar()
    texts = select(func.count()).where(items.c.task == number_of(connection, task))
    count = connection.execute(texts).scalar() if task.kind == Proofread.name else 0
    return f"{task.hash}|{data}|{count}|{_names(connection)}"


def _names(connection: Connection) -> str:
    rows = connection.execute(select(people.c.id, people.c.name).order_by(people.c.id)).all()
    return json_hash([list(row) for row in rows])


def _state(connection: Connection, number: int | None) -> tuple[int, int]:
    found = connection.execute(
        select(func.coalesce(func.max(answers.c.id), 0), func.count())
        .select_from(answers)
        .join(assignments, assignments.c.id == answers.c.assignment)
        .where(assignments.c.task == number)
    ).one()
    return int(found[0]), int(found[1])


def _events(connection: Connection, number: int | None, after: int) -> Sequence[Any]:
    """What was submitted, skipped and undone since, in its order."""
    a = assignments.c
    return connection.execute(
        select(
            answers.c.assignment,
            answers.c.event,
            answers.c.answers,
            answers.c.version,
            answers.c.at,
            a.item,
            a.repeat,
            a.order,
            a.chosen,
            a.seconds,
            people.c.name,
        )
        .join(assignments, a.id == answers.c.assignment)
        .join(people, people.c.id == a.person)
        .where(a.task == number, answers.c.id > after)
        .order_by(answers.c.id)
    ).all()


def _judged(
    connection: Connection, task: Task, rows: Sequence[Any]
) -> tuple[list[tuple[int, Sequence[Judgment]]], int]:
    """Of each submitted form its assignment and judgments; and how many could not be read."""
    submitted = [row for row in rows if row.event == "submit"]
    records = read_items(connection, {row.item for row in submitted})
    kind, pieces, unreadable = kind_of(task), [], 0
    for row in submitted:
        rating = Rating(
            row.name,
            row.version,
            row.seconds,
            datetime.fromtimestamp(row.at, UTC).isoformat(),
            row.order,
            row.repeat,
            row.chosen,
        )
        try:
            made = kind.judgments(task, records[row.item], row.answers or {}, rating)
        except (AssizeError, LookupError):
            unreadable += 1
            continue
        pieces.append((row.assignment, made))
    return pieces, unreadable


def judged_forms(
    connection: Connection, task: Task, item: int
) -> list[tuple[int, Sequence[Judgment]]]:
    """What each person who has answered an item said of it, by their number."""
    a = assignments.c
    rows = connection.execute(
        select(
            a.person.label("assignment"),
            answers.c.event,
            answers.c.answers,
            answers.c.version,
            answers.c.at,
            a.item,
            a.repeat,
            a.order,
            a.chosen,
            a.seconds,
            people.c.name,
        )
        .join(assignments, a.id == answers.c.assignment)
        .join(people, people.c.id == a.person)
        .where(a.item == item, a.state == "done")
        .order_by(answers.c.id)
    ).all()
    newest = {row.assignment: row for row in rows}
    return _judged(connection, task, list(newest.values()))[0]


def collected(
    reading: Reading, work: Mapping[int, Work], expected: Mapping[str, Mapping[str, str]]
) -> Collected:
    """What was read, as the monitor's figures take it; assignments that are gone are left out."""
    numbers = np.array(list(work), dtype=np.int64)
    kept = np.isin(reading.owner, numbers)
    places = np.searchsorted(numbers, reading.owner[kept])
    return Collected(reading.table.filter(kept), tuple(work.values()), places, expected)
