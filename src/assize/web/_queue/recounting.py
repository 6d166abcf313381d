"""Counts made anew from the assignments, after many of them changed at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, and_, case, func, not_, select, update

from assize.web._queue.standing import START
from assize.web._storage.schema import assignments, items, participations, tasks

_A, _I, _P, _T = assignments.c, items.c, participations.c, tasks.c


def recount(connection: Connection, task: int, changed: Iterable[int] = ()) -> None:
    """Makes the counts of a task right, and opens and closes its items for the raters wanted.

    Args:
        task: its number; the raters that it wants for each item are those in the database.
        changed: items whose assignments were added or taken out since they were counted.
    """
    wanted = connection.execute(select(_T.wanted).where(_T.id == task)).scalar_one()
    for part in parts(sorted(changed)):
        _count_items(connection, part)
    room = case((_I.purpose == "rate", and_(_I.taken < wanted, _I.skipped <= wanted)), else_=True)
    is_open = and_(room, not_(_I.removed))
    connection.execute(
        update(items).where(_I.task == task, _I.open != is_open).values(open=is_open)
    )
    mine = (_I.task == task, _I.purpose == "rate", not_(_I.removed))
    size = select(func.count()).select_from(items).where(*mine)
    connection.execute(
        update(tasks)
        .where(_T.id == task)
        .values(
            size=size.scalar_subquery(), complete=size.where(_I.done >= wanted).scalar_subquery()
        )
    )
    _count_people(connection, task)


def _count_items(connection: Connection, part: Sequence[int]) -> None:
    mine = _A.item == _I.id
    connection.execute(
        update(items)
        .where(_I.id.in_(part), _I.purpose == "rate")
        .values(
            taken=_number(mine, _A.state.in_(("reserved", "done"))),
            done=_number(mine, _A.state == "done"),
            skipped=_number(mine, _A.state == "skipped"),
        )
    )


def _count_people(connection: Connection, task: int) -> None:
    """What each has answered; everybody looks again from the start."""
    mine = (_A.task == _P.task, _A.person == _P.person)
    connection.execute(
        update(participations)
        .where(_P.task == task)
        .values(
            front=START,
            done=_number(*mine, _A.state == "done"),
            skipped=_number(*mine, _A.state == "skipped"),
        )
    )


def _number(*which: Any) -> Any:
    return select(func.count()).select_from(assignments).where(*which).scalar_subquery()


def parts(numbers: Sequence[int], most: int = 500) -> Iterator[Sequence[int]]:
    """The numbers in pieces that one statement takes."""
    for start in range(0, len(numbers), most):
        yield numbers[start : start + most]
