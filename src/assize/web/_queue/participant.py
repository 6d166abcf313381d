"""Where a rater stands in a task, and whether they may work on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, exists, func, not_, select

from assize.base.errors import ConfigError
from assize.web._queue.assignment import Why
from assize.web._storage.schema import assignments, consents, items, people, qualifications, tasks
from assize.web._tasks.definition import Task


@dataclass(frozen=True, slots=True)
class Participant:
    """A rater in a task.

    Args:
        task: primary key of the task; `version` and `state` are its own.
        draws: assignments that the rater was ever given in this task.
        opened: the first assignment that is not answered yet; None for none.
        attempt: at the qualification, from 0; `qualified` is "passed", "failed" or None.
        done, skipped: assignments that are in this state now, the qualification left out.
    """

    task: int
    version: int
    state: str
    person: int
    name: str
    disabled: bool
    draws: int
    opened: int | None
    done: int
    skipped: int
    attempt: int
    qualified: str | None


_A, _T, _Q, _P = assignments.c, tasks.c, qualifications.c, people.c
_MINE = and_(_A.task == _T.id, _A.person == _P.id)
_DRAWS = select(func.coalesce(func.max(_A.draw) + 1, 0)).where(_MINE).scalar_subquery()
_OPENED = (
    select(_A.id).where(_MINE, _A.state == "reserved").order_by(_A.draw).limit(1).scalar_subquery()
)
_DONE, _SKIPPED = (
    select(func.count()).where(_MINE, _A.state == state, _A.chosen != "qualify").scalar_subquery()
    for state in ("done", "skipped")
)
_PARTICIPANT = (
    select(
        _T.id,
        _T.version,
        _T.state,
        _P.id,
        _P.name,
        _P.disabled,
        _DRAWS,
        _OPENED,
        _DONE,
        _SKIPPED,
        func.coalesce(_Q.attempt, 0),
        _Q.result,
    )
    .select_from(
        tasks.join(people, _P.id == bindparam("rater")).outerjoin(
            qualifications, and_(_Q.task == _T.id, _Q.person == _P.id)
        )
    )
    .where(_T.name == bindparam("task_name"))
)


def read_participant(connection: Connection, task: Task, person: int) -> Participant:
    """Return where a rater stands in a task.

    Raises:
        ConfigError: the database has no such task or person.
    """
    row: Any = connection.execute(_PARTICIPANT, {"task_name": task.name, "rater": person}).first()
    if row is None:
        raise ConfigError(f"the database knows no task {task.name!r}, or no person {person}")
    return Participant(*row)


def exclusion_reason(connection: Connection, task: Task, rater: Participant) -> Why | None:
    """Return why a rater may not work on a task now; None where they may.

    An assignment that is open may be answered while the task is paused.
    """
    if rater.disabled or (task.raters is not None and rater.name not in task.raters):
        return "not_invited"
    if rater.state == "closed":
        return "closed"
    if rater.state == "paused" and rater.opened is None:
        return "paused"
    if task.consent and not has_consented(connection, task, rater):
        return "consent"
    return "failed" if task.qualification and rater.qualified == "failed" else None


def has_consented(connection: Connection, task: Task, rater: Participant) -> bool:
    """Whether a rater agreed to the consent text as it is now."""
    c = consents.c
    given = (c.task == rater.task, c.person == rater.person, c.text == task.consent)
    return connection.execute(select(c.id).where(*given)).first() is not None


def allowance_left(
    connection: Connection, task: Task, rater: Participant, *, count_open: bool = False
) -> int | None:
    """Return how many more items a rater may have; None for no limit.

    Answered and skipped items count, gold too; the qualification does not.
    """
    if task.items_per_rater is None:
        return None
    states = ("done", "skipped", "reserved") if count_open else ("done", "skipped")
    had = select(func.count()).where(
        _A.task == rater.task,
        _A.person == rater.person,
        _A.state.in_(states),
        _A.chosen != "qualify",
    )
    return max(task.items_per_rater - connection.execute(had).scalar_one(), 0)


def others_have_items(connection: Connection, rater: Participant) -> bool:
    """Whether other raters have open items that this rater has not had, and may get later."""
    own = assignments.alias("own")
    had = exists().where(own.c.item == _A.item, own.c.person == rater.person)
    asked = (
        select(_A.id)
        .join(items, items.c.id == _A.item)
        .where(_A.task == rater.task, _A.state == "reserved", not_(had))
        .where(items.c.purpose == "rate", not_(items.c.removed))
        .limit(1)
    )
    return connection.execute(asked).first() is not None
