"""Which item is drawn for a person: of the task, or gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    Row,
    Select,
    bindparam,
    func,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from assize.web._queue.assignment import Chosen
from assize.web._queue.chance import chance, picked
from assize.web._queue.counters import TAKEN, counting, taking
from assize.web._queue.standing import Standing
from assize.web._storage.schema import assignments, items, participations
from assize.web._tasks.definition import Task

WINDOW = 128  # items that a random order is drawn among
OFTEN = 16  # draws between two looks at what a person's front is

_A, _I, _P = assignments.c, items.c, participations.c
_TASK: Any = bindparam("in_task")
_PERSON: Any = bindparam("of_person")
_FRONT: Any = bindparam("front", type_=Float)
_PLACE: Any = bindparam("front", type_=Integer)
_BELOW: Any = bindparam("below", type_=Float)


def _offered(purpose: str, by: Column[Any], *bounds: Any) -> Offered:
    """Open items that the person has not had; what ran out counts as not had.

    How an item stands with the person is asked by a subquery for each row, for no planner makes
    a scan of it.

    Args:
        by: what the items are ordered by.
    """
    had = select(_A.state).where(_A.item == _I.id, _A.person == _PERSON, _A.repeat == 0)
    asked = (
        select(_I.id, by.label("by"))
        .where(_I.task == _TASK, _I.purpose == purpose, _I.open.is_(True), *bounds)
        .where(func.coalesce(had.scalar_subquery(), "expired") == "expired")
        .order_by(by)
    )
    one = asked.limit(1).offset(bindparam("passed", type_=Integer))
    window = asked.limit(WINDOW).subquery()
    drawn = one.with_only_columns(_I.id).scalar_subquery()
    return Offered(
        one,
        counting(drawn, *TAKEN),
        select(func.count()).select_from(window),
    )


@dataclass(frozen=True, slots=True)
class Offered:
    """Statements: one of the items, behind so many that are `passed`; the same, taken; and how
    many there are, up to a window."""

    one: Select[Any]
    take: ReturningUpdate[Any]
    count: Select[Any]


_IN_FILE = _offered("rate", _I.place, _I.place >= _PLACE)
_BY_RANK = _offered("rate", _I.rank, _I.rank >= _FRONT)
_GOLD = _offered("gold", _I.rank, _I.rank >= _FRONT, _I.rank < _BELOW)
_FRONTS = update(participations).where(_P.task == _TASK, _P.person == _PERSON)


class Drawn(NamedTuple):
    """An item, and how it was chosen; `taken` is what `counters.take` gives, where it is one to
    rate."""

    item: int
    chosen: Chosen
    taken: Row[Any] | None = None


def of_the_task(
    connection: Connection, task: Task, found: Standing, attempt: int = 0
) -> Drawn | None:
    """An item to rate, in the task's order, taken; None where none is open to the person.

    Args:
        attempt: from 0; another draws another item, where the order is random.
    """
    if task.order == "file":
        return _taken(connection, task, found, _IN_FILE, "file", int(found.front))
    at = chance(task.seed, "item", found.person, found.draws, attempt)
    return _taken(connection, task, found, _BY_RANK, "random", found.front, at)


def _taken(
    connection: Connection,
    task: Task,
    found: Standing,
    offered: Offered,
    chosen: Chosen,
    front: float,
    chance: float = 0.0,
) -> Drawn | None:
    """One of the first `WINDOW` items that are open to the person; None where there is none.

    Args:
        front: where the person looks from; it moves to the first of them, now and then.
        chance: in [0, 1), which of them; 0 is the first.
    """
    asked = _of(found, front=front)
    if found.draws % OFTEN == 0:
        first = connection.execute(offered.one, {**asked, "passed": 0}).first()
        if first is not None:
            connection.execute(_FRONTS, _of(found, front=first.by))
    take = {**asked, **taking(task)}
    row = connection.execute(offered.take, {**take, "passed": int(chance * WINDOW)}).first()
    if row is None:  # there are fewer
        many = connection.execute(offered.count, asked).scalar_one()
        row = connection.execute(offered.take, {**take, "passed": int(chance * many)}).first()
    return None if row is None else Drawn(row.id, chosen, row)


def _of(found: Standing, **more: Any) -> dict[str, Any]:
    return {"in_task": found.task, "of_person": found.person, **more}


def gold(connection: Connection, task: Task, found: Standing) -> Drawn | None:
    """A gold item, at one place of each `gold.every`; the person cannot foresee which."""
    if task.gold is None:
        return None
    block, place = divmod(found.draws, task.gold.every)
    if picked(task.seed, task.gold.every, "gold place", found.person, block) != place:
        return None
    start = chance(task.seed, "gold", found.person, block)
    for front, below in ((start, 1.0), (0.0, start)):
        asked = _of(found, front=front, below=below, passed=0)
        row = connection.execute(_GOLD.one, asked).first()
        if row is not None:
            return Drawn(row.id, "gold")
    return None
