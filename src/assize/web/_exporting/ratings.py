"""What people rated, as judgments: the last submitted answer of each, a skip as unscored.

Answers that were undone, and items that were taken back, have no row. Only the part `rate`
measures anything: pilot rounds, rounds of qualification, and answers to gold items and worked
examples, whose right answers are known, are parts of their own. Rows of gold items say so
(`details.chosen`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, and_, case, func, not_, select

from assize.base.conversation import Item
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment, Unscored
from assize.base.signature import sign
from assize.judgments import JudgmentTable
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.inputs import read_item
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.rows import judgment

SKIPPED = "skipped"  # why a rating is unscored
OTHERWISE = "version"  # the same, where an older version of the task asked something else
Part = Literal["rate", "pilot", "qualify", "gold", "example"]
_BATCH = 1_000

_A, _H, _I, _P, _T = assignments.c, answers.c, items.c, people.c, tasks.c
RATE: tuple[Part, ...] = ("rate",)  # the part that measures
_PART = case((_I.purpose != "rate", _I.purpose), (_A.pilot, "pilot"), else_="rate")
_LAST = (
    select(
        _A.id,
        _A.item,
        _A.state,
        _A.repeat,
        _A.order,
        _A.chosen,
        _A.version,
        _A.pilot,
        _A.seconds,
        _A.suggestion,
        _A.submitted,
        _A.person,
        _P.name,
        _I.purpose,
        _I.record,
        _H.answers,
        _H.reason,
    )
    .join(items, _I.id == _A.item)
    .join(people, _P.id == _A.person)
    .join(tasks, _T.id == _A.task)
    .join(answers, and_(_H.assignment == _A.id, _H.number == _A.revision - 1))
    .where(_A.state.in_(("done", "skipped")))
    .order_by(_I.purpose, _I.place, _I.id, _P.name, _A.repeat)
)


def ratings(
    connection: Connection, task: Task, parts: Collection[Part] = RATE
) -> Iterator[Judgment]:
    """The judgments of a task, in the order of its items, then of the raters' names.

    Yields:
        Of a submitted form what its kind makes of it; of a skipped one the same rows, unscored with
        reason `skipped` and what the rater said; of a form that an older version of the task
        asked and that cannot be read now, the same with reason `version`. What discussions settled
        is nobody's rating: `adjudicated` has it.
    """
    shown, item = None, None
    for row in last_answers(connection, task, parts):
        if row.item != shown or item is None:
            shown, item = row.item, read_item(row.record)
        yield from _made(task, item, row)


def last_answers(
    connection: Connection,
    task: Task,
    parts: Collection[Part] = RATE,
    *,
    item: int | None = None,
) -> Iterator[Any]:
    """What holds now of each assignment, with its item's record; arguments as of `ratings`.

    Args:
        item: number of the only item; all when None.
    """
    asked = _LAST.where(_T.name == task.name, _PART.in_(parts))
    if item is not None:
        asked = asked.where(_A.item == item)
    yield from connection.execution_options(yield_per=_BATCH).execute(asked)


def ratings_table(
    connection: Connection, task: Task, parts: Collection[Part] = RATE
) -> JudgmentTable:
    """The same as a table with its questions, and the right answers to items of these parts."""
    rows = [*ratings(connection, task, parts), *expected_answers(connection, task, parts)]
    return JudgmentTable.of(rows, kind_of(task).questions(task))


def ratings_state(connection: Connection, task: Task) -> str:
    """Digits that change with every answer to a task, with the task, its data, and names."""
    count = connection.execute(
        select(func.max(_H.id), func.count(_H.id), func.max(_A.touched))
        .join(assignments, _A.id == _H.assignment)
        .join(tasks, _T.id == _A.task)
        .where(_T.name == task.name)
    ).one()
    data = connection.scalar(select(_T.data).where(_T.name == task.name))
    names = connection.scalars(select(_P.name).order_by(_P.id)).all()
    return sign(task.hash, list(count), data, list(names))


def expected_answers(
    connection: Connection, task: Task, parts: Collection[Part]
) -> Iterator[Judgment]:
    """The right answers to items of these parts, as judgments by `gold`."""
    rows = connection.execute(
        select(_I.key, _I.expected)
        .join(tasks, _T.id == _I.task)
        .where(_T.name == task.name, _I.purpose.in_(parts), not_(_I.removed))
    )
    for row in rows:
        for known, answer in (row.expected or {}).items():
            question, _, turn = known.partition("@")
            yield Judgment(
                row.key, "gold", question, answer=str(answer), turn=int(turn) if turn else None
            )


def rating_of(row: Any) -> Rating:
    """Who answered, when and how, of a row of `last_answers`."""
    return Rating(
        row.name,
        row.version,
        row.seconds,
        time_of(row.submitted),
        row.order,
        row.repeat,
        row.chosen if row.purpose == "rate" else row.purpose,
        row.pilot,
        row.suggestion,
        row.person,
    )


def _made(task: Task, item: Item, row: Any) -> Iterator[Judgment]:
    rating = rating_of(row)
    if row.state == "skipped":
        yield from _unscored(task, item, rating, Unscored(SKIPPED, row.reason or ""))
        return
    try:
        made = list(kind_of(task).judgments(task, item, row.answers or {}, rating))
    except (AssizeError, LookupError) as error:
        yield from _unscored(task, item, rating, Unscored(OTHERWISE, str(error)))
        return
    yield from made


def _unscored(task: Task, item: Item, rating: Rating, why: Unscored) -> Iterator[Judgment]:
    """A row for each that an answer would have made; of an item that the task cannot ask about
    now, one for each of its questions."""
    kind = kind_of(task)
    try:
        asked = kind.asked(task, item)
    except (AssizeError, LookupError):
        asked = [(one.id, None) for one in kind.questions(task)]
    for name, turn in asked:
        yield judgment(item.id, name, None, rating, unscored=why, turn=turn)


def time_of(seconds: float) -> str:
    """ISO 8601 in UTC, to the microsecond: exactly what reading it back gives."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
