"""Where a person stands in a task: one row of everything that the queue asks first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection, and_, bindparam, exists, func, insert, not_, select

from assize.base.errors import ConfigError
from assize.web._queue.assignment import Why
from assize.web._storage.schema import assignments, consents, items, participations, people, tasks
from assize.web._tasks.definition import Task

START = -1.0  # before every rank and every place


@dataclass(frozen=True, slots=True)
class Standing:
    """A person in a task.

    Args:
        task: its number in the database; `version` is the current one.
        opened: an assignment that the person has not answered yet, the first given; None
            where there is none.
        lapsing: when the next reservation of anybody in the task ends; None is never.
        draws: how many assignments the person was ever given here.
        front: rank (or place in the file) before which nothing is left for the person.
        attempt: of the qualification, from 0; `qualified` is `passed`, `failed` or None.
        done: assignments that are submitted now; `skipped` those that are skipped now.
    """

    task: int
    version: int
    state: str
    person: int
    name: str
    disabled: bool
    draws: int
    opened: int | None
    lapsing: float | None
    front: float = START
    attempt: int = 0
    qualified: str | None = None
    done: int = 0
    skipped: int = 0
    known: bool = True


_A, _T, _P, _U = assignments.c, tasks.c, participations.c, people.c
_WHOSE = (_A.task == _T.id, _A.person == _U.id)
_DRAWS = select(func.coalesce(func.max(_A.draw) + 1, 0)).where(*_WHOSE).scalar_subquery()
_OPENED = (
    select(_A.id)
    .where(*_WHOSE, _A.submitted.is_(None), _A.state == "reserved")
    .order_by(_A.draw)
    .limit(1)
    .scalar_subquery()
)
_LAPSING = (
    select(func.min(_A.reserved_until))
    .where(_A.task == _T.id, _A.state == "reserved")
    .scalar_subquery()
)
_STANDING = (
    select(
        _T.id,
        _T.version,
        _T.state,
        _U.id,
        _U.name,
        _U.disabled,
        _DRAWS,
        _OPENED,
        _LAPSING,
        _P.front,
        _P.attempt,
        _P.qualified,
        _P.done,
        _P.skipped,
    )
    .select_from(
        tasks.join(people, _U.id == bindparam("the_person")).outerjoin(
            participations, and_(_P.task == _T.id, _P.person == _U.id)
        )
    )
    .where(_T.name == bindparam("named"))
)


def standing(connection: Connection, task: Task, person: int) -> Standing:
    """Where a person stands; without a row of their own they stand at the start.

    Raises:
        ConfigError: the task was not synced, or there is no such person.
    """
    row = connection.execute(_STANDING, {"named": task.name, "the_person": person}).first()
    if row is None:
        raise ConfigError(f"the database knows no task {task.name!r}, or no person {person}")
    if row.front is None:
        return Standing(*row[:9], known=False)
    return Standing(*row)


def joined(connection: Connection, found: Standing) -> Standing:
    """The same with a row in the database."""
    if found.known:
        return found
    connection.execute(
        insert(participations).values(task=found.task, person=found.person, front=START)
    )
    return replace(found, known=True)


def kept_out(connection: Connection, task: Task, found: Standing) -> Why | None:
    """Why a person may not work on a task now; None where they may.

    What they have open they may answer while the task is paused.
    """
    if found.disabled or (task.raters is not None and found.name not in task.raters):
        return "not_invited"
    if found.state == "closed":
        return "closed"
    if found.state == "paused" and found.opened is None:
        return "paused"
    if task.consent and not consented(connection, task, found):
        return "consent"
    return "failed" if task.qualification and found.qualified == "failed" else None


def consented(connection: Connection, task: Task, found: Standing) -> bool:
    """Whether a person has agreed to the task's consent as it is worded now."""
    c = consents.c
    asked = select(c.id).where(
        c.task == found.task, c.person == found.person, c.text == task.consent
    )
    return connection.execute(asked).first() is not None


def share_left(
    connection: Connection, task: Task, found: Standing, *, held: bool = False
) -> int | None:
    """How many more items a person may have; None is no limit.

    What was answered or skipped counts, gold too; the qualification does not.

    Args:
        held: what they have in hand counts too.
    """
    if task.items_per_rater is None:
        return None
    states = ("done", "skipped", "reserved") if held else ("done", "skipped")
    had = select(func.count()).where(
        _A.task == found.task,
        _A.person == found.person,
        _A.state.in_(states),
        _A.chosen != "qualify",
    )
    return max(task.items_per_rater - int(connection.execute(had).scalar_one()), 0)


def others_hold(connection: Connection, found: Standing) -> bool:
    """Whether an item that a person has not had is with somebody who may not answer it.

    Their time may end, so that it is free again. Gold and the qualification are nobody else's.
    """
    own = assignments.alias("own")
    had = exists().where(own.c.item == _A.item, own.c.person == found.person)
    asked = (
        select(_A.id)
        .join(items, items.c.id == _A.item)
        .where(_A.task == found.task, _A.state == "reserved", not_(had))
        .where(items.c.purpose == "rate", not_(items.c.removed))
        .limit(1)
    )
    return connection.execute(asked).first() is not None
