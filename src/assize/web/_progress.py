"""How far a task is: who did what, how fast, and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

import numpy as np
from sqlalchemy import Connection, and_, select

from assize.results import Column, Result, Table
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks.definition import Task

CHOSEN: Mapping[str, str] = {
    "random": "at random",
    "file": "in the order of the file",
    "gold": "gold item",
    "qualify": "qualification",
    "assigned": "assigned by an admin",
    "collected": "rates an own conversation",
    "written": "wrote it",
}


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """One person's work on a task, of all purposes.

    Args:
        done: forms that are submitted; `gold` are among them.
        open: in the person's hands now. `expired`: given back because time ran out.
        seconds: median of a submitted form; NaN where none was timed.
        hours: of work on forms that were submitted or skipped, idle time left out.
        last: when the last one was submitted; "" where none was.
    """

    rater: str
    done: int
    skipped: int
    open: int
    expired: int
    gold: int
    seconds: Annotated[float, Column("median seconds", digits=0)]
    an_hour: Annotated[float, Column("forms an hour", digits=1)]
    hours: Annotated[float, Column(digits=2)]
    last: str


@dataclass(frozen=True, slots=True)
class Progress(Result):
    """How far a task is.

    Args:
        ratings: that count: first answers to items to be rated, `needed` in all.
        open, skipped, expired: forms of everybody.
        hours: work that is left, one person's hours; NaN where nothing was timed.
        by_rater: each person's work.
        reasons: why forms were skipped, and how often.
        chosen: how items came to people, by submitted forms.
    """

    items: int
    complete: int
    ratings: int
    needed: int
    open: int
    skipped: int
    expired: int
    seconds: float
    hours: float
    by_rater: Annotated[
        Sequence[RaterProgress],
        Table("Progress by rater", notes=["Done counts forms of every purpose."]),
    ]
    reasons: Annotated[Mapping[str, int], Table("Why items were skipped", key="reason")]
    chosen: Annotated[Mapping[str, int], Table("How items were chosen", key="how")] = field(
        default_factory=dict
    )


def read_progress(connection: Connection, task: Task) -> Progress:
    """Return how far a task is now."""
    a, i = assignments.c, items.c
    number = select(tasks.c.id).where(tasks.c.name == task.name).scalar_subquery()
    last = and_(answers.c.assignment == a.id, answers.c.number == a.revision - 1)
    work = connection.execute(
        select(
            people.c.name,
            i.key,
            a.state,
            i.purpose,
            a.chosen,
            a.submitted,
            a.seconds,
            answers.c.reason,
        )
        .join(people, people.c.id == a.person)
        .join(items, i.id == a.item)
        .outerjoin(answers, last)
        .where(a.task == number)
        .order_by(a.id)
    ).all()
    keys = select(i.key).where(i.task == number, ~i.removed, i.purpose == "rate")
    counts = dict.fromkeys(connection.scalars(keys), 0)
    rated = [row for row in work if row.state == "done" and row.purpose == "rate"]
    for row in rated:
        if row.key in counts:
            counts[row.key] += 1
    wanted = task.raters_per_item
    ratings = sum(min(count, wanted) for count in counts.values())
    times = [row.seconds for row in rated if row.seconds > 0]
    states = Counter(row.state for row in work)
    by_rater: dict[str, list[Any]] = {}
    for row in work:
        by_rater.setdefault(row.name, []).append(row)
    skips = Counter(row.reason or "no reason" for row in work if row.state == "skipped")
    done = Counter(row.chosen for row in work if row.state == "done").most_common()
    return Progress(
        len(counts),
        sum(count >= wanted for count in counts.values()),
        ratings,
        wanted * len(counts),
        states["reserved"],
        states["skipped"],
        states["expired"],
        float(np.median(times)) if times else float("nan"),
        (wanted * len(counts) - ratings) * float(np.mean(times)) / 3600 if times else float("nan"),
        [_of_rater(name, by_rater[name]) for name in sorted(by_rater)],
        dict(skips.most_common()),
        {CHOSEN.get(name, name): n for name, n in done},
    )


def _of_rater(name: str, work: Sequence[Any]) -> RaterProgress:
    done = [row for row in work if row.state == "done"]
    times = [row.seconds for row in done if row.seconds > 0]
    states = Counter(row.state for row in work)
    last = max((row.submitted for row in done if row.submitted is not None), default=None)
    return RaterProgress(
        name,
        len(done),
        states["skipped"],
        states["reserved"],
        states["expired"],
        sum(row.purpose == "gold" for row in done),
        float(np.median(times)) if times else float("nan"),
        3600 * len(times) / sum(times) if times else float("nan"),
        sum(row.seconds for row in work if row.state in ("done", "skipped")) / 3600,
        "" if last is None else f"{datetime.fromtimestamp(last, UTC):%Y-%m-%d %H:%M}",
    )
