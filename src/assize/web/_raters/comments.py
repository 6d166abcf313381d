"""What raters say about an item beside their answers: comments, and flags for the lead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, bindparam, case, insert, select

from assize.base.errors import DataError
from assize.web._queue import Assignment
from assize.web._storage.schema import answers, comments, people

LONGEST = 5_000  # characters of a comment

Kind = Literal["comment", "flag"]


def add_comment(
    connection: Connection, about: Assignment, kind: Kind, text: str, now: float
) -> bool:
    """Keeps what a rater says about the item of their assignment.

    Returns:
        Whether it was new: the same words sent twice are kept once.

    Raises:
        DataError: it is empty or too long.
    """
    said = text.strip()
    if not said:
        raise DataError("Please write what you want to say.")
    if len(said) > LONGEST:
        raise DataError(f"At most {LONGEST:,} characters, not {len(said):,}.")
    c = comments.c
    same = select(c.id).where(c.assignment == about.id, c.kind == kind, c.text == said)
    if connection.execute(same.where(c.person == about.person)).first() is not None:
        return False
    connection.execute(
        insert(comments).values(
            task=about.task,
            item=about.item,
            assignment=about.id,
            person=about.person,
            kind=kind,
            text=said,
            at=now,
        )
    )
    return True


_C, _H = comments.c, answers.c
_MINE = (_C.person == bindparam("mine")) | (people.c.role == "admin")
PROOFREADER = "The proofreader"
_THREAD: Select[Any] = (
    select(case((_MINE, people.c.name), else_=PROOFREADER).label("person"), _C.kind, _C.text, _C.at)
    .join(people, people.c.id == _C.person)
    .where(_C.task == bindparam("in_task"), _C.item == bindparam("on_item"))
    .where(_C.assignment == bindparam("on"))
    .order_by(_C.at, _C.id)
)
_WHY = (
    select(_C.text)
    .select_from(answers)
    .outerjoin(comments, (_C.assignment == _H.assignment) & (_C.at == _H.at))
    .where(_H.assignment == bindparam("on"), _H.number == bindparam("last"), _H.event == "return")
    .order_by(_C.id)
    .limit(1)
)


def comments_on(connection: Connection, about: Assignment) -> Sequence[Row[Any]]:
    """The thread of an assignment: its rater's words, what leads replied, and what proofreaders
    said, who are not named; oldest first.

    What other raters say about the same item belongs to their own assignments and is not in it.
    """
    asked = {"in_task": about.task, "on_item": about.item, "on": about.id, "mine": about.person}
    return connection.execute(_THREAD, asked).all()


def why_sent_back(connection: Connection, about: Assignment) -> str | None:
    """What the proofreader said who rejected what was written here last.

    Returns:
        None where it was not rejected, or was submitted since; "" where what they said is gone.
    """
    if about.revision == 0 or about.state not in ("reserved", "expired"):
        return None
    row = connection.execute(_WHY, {"on": about.id, "last": about.revision - 1}).first()
    return None if row is None else row.text or ""
