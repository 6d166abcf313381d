"""A rater's past answers and their own speed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Any

from sqlalchemy import Connection, func, select

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.formats.records import parse
from assize.web._storage.schema import answers, assignments, items, tasks

PAGE = 30  # past answers on one page
EXCERPT = 140  # characters


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
    reason: str = ""
    drafted: bool = False
    sent_back: bool = False


@dataclass(frozen=True, slots=True)
class Day:
    """What a rater submitted on one day (UTC); `seconds` is the median of an item."""

    date: str
    items: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Pace:
    """A rater's own speed; the median is None where nothing was timed."""

    items: int
    skipped: int
    seconds: float | None
    total: float
    days: Sequence[Day]

    @property
    def busiest(self) -> int:
        """Items of the day with the most."""
        return max((one.items for one in self.days), default=0)


_LAST = (
    select(answers.c.event)
    .where(answers.c.assignment == assignments.c.id)
    .where(answers.c.number == assignments.c.revision - 1)
    .scalar_subquery()
)


def past(
    connection: Connection, person: int, task: str | None = None, page: int = 1
) -> tuple[list[Past], int]:
    """A page of a rater's past answers, the newest first, and how many there are in all.

    Args:
        task: name of the only task; None is all.
        page: from 1.
    """
    a, i, t = assignments.c, items.c, tasks.c
    mine = (a.person == person) & (
        a.state.in_(("done", "skipped"))
        | (a.state.in_(("reserved", "expired")) & (a.revision > 0))
        | (a.state.in_(("reserved", "expired")) & a.draft.is_not(None))
    )
    if task is not None:
        mine &= t.name == task
    joined = assignments.join(tasks, t.id == a.task)
    total = connection.execute(select(func.count()).select_from(joined).where(mine)).scalar_one()
    asked = (
        select(
            a.id,
            t.name.label("task"),
            a.draw,
            a.state,
            a.touched,
            a.submitted,
            a.seconds,
            a.revision,
            a.draft,
            i.record,
            _LAST.label("last"),
        )
        .select_from(joined.join(items, i.id == a.item))
        .where(mine)
        .order_by(func.coalesce(a.submitted, a.touched).desc(), a.id.desc())
        .limit(PAGE)
        .offset(PAGE * (max(page, 1) - 1))
    )
    rows = connection.execute(asked).all()
    reasons = _reasons(connection, [row.id for row in rows if row.state == "skipped"])
    found = [
        Past(
            row.id,
            row.task,
            row.draw + 1,
            row.state,
            row.submitted or row.touched,
            row.seconds,
            row.revision,
            begins(row.record),
            reasons.get(row.id, ""),
            row.draft is not None,
            row.last == "return",
        )
        for row in rows
    ]
    return found, int(total)


def _reasons(connection: Connection, numbers: Sequence[int]) -> dict[int, str]:
    a, h = assignments.c, answers.c
    asked = (
        select(a.id, h.reason)
        .join(answers, (h.assignment == a.id) & (h.number == a.revision - 1))
        .where(a.id.in_(numbers))
    )
    return {row.id: row.reason or "" for row in connection.execute(asked)} if numbers else {}


def begins(record: Mapping[str, Any]) -> str:
    """The first words of an item, in one line.

    >>> begins({"id": "c", "turns": [{"role": "user", "text": "Hello\\nthere"}]})
    'Hello there'
    """
    one = parse(record)
    turns: Sequence[Turn] = ()
    if isinstance(one, Conversation):
        turns = one.turns
    elif isinstance(one, Pair):
        turns = one.context or one.a
    elif isinstance(one, Continuation):
        turns = one.context
    said = next((turn.text for turn in turns if turn.role == "user" and turn.text.strip()), "")
    line = " ".join(said.split())
    return line if len(line) <= EXCERPT else f"{line[:EXCERPT].rstrip()}…"


def pace(connection: Connection, person: int, task: str | None = None) -> Pace:
    """How many items a rater did, and how long they took, by day; arguments as of `past`."""
    a, t = assignments.c, tasks.c
    asked = (
        select(a.state, a.submitted, a.seconds)
        .join(tasks, t.id == a.task)
        .where(a.person == person, a.state.in_(("done", "skipped")))
    )
    if task is not None:
        asked = asked.where(t.name == task)
    by_day: dict[str, list[float]] = defaultdict(list)
    skipped = 0
    for row in connection.execute(asked):
        if row.state == "skipped":
            skipped += 1
        elif row.submitted is not None:
            by_day[f"{datetime.fromtimestamp(row.submitted, UTC):%Y-%m-%d}"].append(row.seconds)
    every = [one for day in by_day.values() for one in day]
    return Pace(
        len(every),
        skipped,
        median(every) if every else None,
        sum(every),
        [Day(date, len(day), median(day)) for date, day in sorted(by_day.items(), reverse=True)],
    )
