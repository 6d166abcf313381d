"""A rater's past answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, func, or_, select

from assize.web._storage.schema import answers, assignments, items, tasks

PAGE = 30  # past answers on one page


def past(
    connection: Connection, person: int, task: str | None = None, page: int = 1
) -> tuple[Sequence[Row[Any]], int]:
    """Return a page of a rater's past answers, the newest first, and how many there are in all.

    A row is an assignment with `task_name`, the item's `record`, and `event` and `reason` of what
    was done last. The record's own name must not be shown: it may tell which system answered.

    Args:
        task: name of the only task; None is all.
        page: from 1.
    """
    a, i, t, h = assignments.c, items.c, tasks.c, answers.c
    begun = a.state.in_(("reserved", "expired")) & or_(a.revision > 0, a.draft.is_not(None))
    mine = (a.person == person) & or_(a.state.in_(("done", "skipped")), begun)
    if task is not None:
        mine &= t.name == task
    joined = assignments.join(tasks, t.id == a.task).join(items, i.id == a.item)
    last = and_(h.assignment == a.id, h.number == a.revision - 1)
    rows = connection.execute(
        select(assignments, t.name.label("task_name"), i.record, h.event, h.reason)
        .select_from(joined.outerjoin(answers, last))
        .where(mine)
        .order_by(func.coalesce(a.submitted, a.touched).desc(), a.id.desc())
        .limit(PAGE)
        .offset(PAGE * (max(page, 1) - 1))
    ).all()
    total = connection.scalar(select(func.count()).select_from(joined).where(mine)) or 0
    return rows, total
