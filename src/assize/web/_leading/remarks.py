"""What raters flag and comment, for leads to read, answer and settle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select, update

from assize.base.errors import DataError
from assize.web._storage.schema import comments, items, people, tasks

LONGEST = 5_000  # characters of a reply
PAGE = 50  # remarks on a page

WhichRemarks = Literal["open", "flags", "comments", "settled", "all"]


def remarks(
    connection: Connection,
    which: WhichRemarks = "open",
    task: str | None = None,
    page: int = 1,
    item: int | None = None,
) -> tuple[Sequence[Row[Any]], int]:
    """One page of what was said, the newest first, and how many there are in all.

    Args:
        which: `open` are flags and comments of raters that nobody settled.
        item: only those about one item.
    """
    c = comments.c
    where: list[ColumnElement[bool]] = [c.kind.in_(("comment", "flag")), *_which(which)]
    if task is not None:
        where.append(tasks.c.name == task)
    if item is not None:
        where.append(c.item == item)
    joined = (
        comments.join(tasks, tasks.c.id == c.task)
        .join(people, people.c.id == c.person)
        .outerjoin(items, items.c.id == c.item)
    )
    count = connection.scalar(select(func.count()).select_from(joined).where(*where)) or 0
    rows = connection.execute(
        select(
            c.id,
            tasks.c.name.label("task"),
            c.item,
            items.c.key,
            people.c.name.label("person"),
            (people.c.role == "admin").label("by_admin"),
            c.kind,
            c.text,
            c.at,
            c.settled,
        )
        .select_from(joined)
        .where(*where)
        .order_by(c.at.desc(), c.id.desc())
        .limit(PAGE)
        .offset((page - 1) * PAGE)
    )
    return rows.all(), count


def _which(which: WhichRemarks) -> list[ColumnElement[bool]]:
    c = comments.c
    found: dict[str, list[Any]] = {
        "open": [c.settled.is_(None), people.c.role != "admin"],
        "flags": [c.kind == "flag"],
        "comments": [c.kind == "comment"],
        "settled": [c.settled.is_not(None)],
        "all": [],
    }
    return found[which]


def settle(connection: Connection, number: int, now: float | None) -> bool:
    """Marks a remark as settled, or with None as open again; False where there is none."""
    c = comments.c
    changed = update(comments).where(c.id == number, c.kind.in_(("comment", "flag")))
    return connection.execute(changed.values(settled=now)).rowcount > 0


def reply(connection: Connection, number: int, person: int, text: str, now: float) -> None:
    """Answers a remark where its rater sees it, below the item, and settles it.

    Args:
        person: the lead who answers.

    Raises:
        DataError: there is no such remark, or the reply is empty or too long.
    """
    said = text.strip()
    if not 0 < len(said) <= LONGEST:
        raise DataError(f"Write from 1 to {LONGEST:,} characters, not {len(said):,}.")
    c = comments.c
    about = connection.execute(
        select(c.task, c.item, c.assignment).where(c.id == number, c.kind.in_(("comment", "flag")))
    ).first()
    if about is None:
        raise DataError("There is no such remark.")
    connection.execute(
        insert(comments).values(
            task=about.task,
            item=about.item,
            assignment=about.assignment,
            person=person,
            kind="comment",
            text=said,
            at=now,
            settled=now,
        )
    )
    settle(connection, number, now)
