"""A rater's past answers."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, and_, func, or_, select

from assize.formats.sampling import first_words
from assize.web._exporting.ratings import record_of
from assize.web._storage.schema import answers, assignments, items, tasks

PAGE = 30  # past answers on one page


@dataclass(frozen=True, slots=True)
class Past:
    """Something that a rater answered, skipped, or began.

    Args:
        number: the person's n-th item in the task, from 1; the record's own name is not shown,
            for it may tell which system answered.
        begins: the first words of the item.
        changes: how often it was submitted, skipped or undone.
        reason: why it was skipped; "" where it was not.
        sent_back: whether it was rejected and a lead sent it back.
    """

    assignment: int
    task: str
    number: int
    state: str
    at: float
    seconds: float
    changes: int
    begins: str
    reason: str
    drafted: bool
    sent_back: bool


def past(
    connection: Connection, person: int, task: str | None = None, page: int = 1
) -> tuple[list[Past], int]:
    """Return a page of a rater's past answers, the newest first, and how many there are in all.

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
    return [
        Past(
            row.id,
            row.task_name,
            row.draw + 1,
            row.state,
            row.submitted or row.touched,
            row.seconds,
            row.revision,
            first_words(record_of(row.record)),
            (row.reason or "") if row.state == "skipped" else "",
            row.draft is not None,
            row.event == "return",
        )
        for row in rows
    ], total
