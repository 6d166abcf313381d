"""Assignments: an item of a task given to a rater."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Select, bindparam, select

from assize.base.conversation import Item
from assize.base.errors import AssizeError
from assize.base.judgment import Order
from assize.web._forms import Answers
from assize.web._storage.schema import assignments, items, tasks
from assize.web._tasks.inputs import read_item

Purpose = Literal["rate", "gold", "qualify", "example"]
State = Literal["reserved", "done", "skipped", "expired", "withdrawn"]
Chosen = Literal[
    "random",
    "file",
    "gold",
    "qualify",
    "assigned",
    "collected",
    "written",
]
Why = Literal[
    "finished", "wait", "allowance", "failed", "consent", "paused", "closed", "not_invited"
]


@dataclass(frozen=True, slots=True)
class Assignment:
    """An item of a task given to a rater.

    Args:
        id: stands in addresses; every function checks whose it is.
        item: the item's primary key; `key` is the id of its record.
        record: the item as its file has it; `read` parses it.
        purpose: never shown, for raters must not know which items are gold.
        chosen: how the item was chosen. An item that the person wrote is `written` and withdrawn
            from the start, so that nobody proofreads their own text.
        order: `BA` where the sides of a pair are exchanged for this rater.
        revision: number of the next answer; a form sends it back, and an older one is refused.
        version: of the task when the item was assigned or last answered.
        reserved_until: seconds since 1970, after which others may get the item; None is never.
        seconds: of work so far.
        draft: answers that were saved and not submitted.
        suggestion: a judge's answers by question; None where none are shown.
        touched: when it was last assigned, saved or answered.
        pilot: whether it was given in a pilot round.
        draw: how many assignments the rater was given before, in this task.
        repeat: of a qualification, its attempt, from 0; else 0.
    """

    id: int
    task: int
    item: int
    key: str
    person: int
    record: Mapping[str, Any]
    purpose: Purpose
    state: State
    chosen: Chosen
    repeat: int = 0
    order: Order | None = None
    revision: int = 0
    version: int = 1
    reserved_until: float | None = None
    submitted: float | None = None
    seconds: float = 0.0
    draft: Answers | None = None
    suggestion: Mapping[str, Any] | None = None
    touched: float = 0.0
    pilot: bool = False
    draw: int = 0

    @property
    def takes_item(self) -> bool:
        """Whether it is one of the `raters_per_item` that an item may have at a time."""
        return self.purpose == "rate" and self.state in ("reserved", "done")

    def read(self) -> Item:
        """Parse the record: a conversation, pair or continuation."""
        return read_item(self.record)


@dataclass(frozen=True, slots=True)
class Held:
    """A rater's assignment, with the name, version and state of its task now."""

    one: Assignment
    task: str
    version: int
    state: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """No item for this rater now.

    Args:
        why: `finished` the rater has answered all there was; `wait` other raters have the rest
            and may give it back; `allowance` the rater has had as many as allowed; `failed` the
            qualification; `consent` is asked for first; the task is `paused` or `closed`;
            `not_invited` the task is for others.
    """

    why: Why


class Refused(AssizeError):
    """An answer that is not taken; nothing was changed."""


class Stale(Refused):
    """The form is older than the assignment, which was answered elsewhere."""


class Gone(Refused):
    """The rater no longer has the item: it was withdrawn, removed, or went to others."""


class NotYours(Refused):
    """The rater has no such assignment."""


_A, _I, _T = assignments.c, items.c, tasks.c


def select_assignments() -> Select[Any]:
    """Select assignments with their items, as `to_assignment` reads them."""
    return select(
        _A.id,
        _A.task,
        _A.item,
        _I.key,
        _A.person,
        _I.record,
        _I.purpose,
        _A.state,
        _A.chosen,
        _A.repeat,
        _A.order,
        _A.revision,
        _A.version,
        _A.reserved_until,
        _A.submitted,
        _A.seconds,
        _A.draft,
        _A.suggestion,
        _A.touched,
        _A.pilot,
        _A.draw,
    ).join(items, _I.id == _A.item)


def to_assignment(row: Any) -> Assignment:
    """Return the assignment in a row of `select_assignments`."""
    return Assignment(*row)


_BY_ID = select_assignments().where(_A.id == bindparam("the"))  # built once: building is slow
_HELD = (
    _BY_ID.add_columns(_T.name, _T.version, _T.state)
    .join(tasks, _T.id == _A.task)
    .where(_A.person == bindparam("rater"))
)


def find_assignment(connection: Connection, assignment: int) -> Assignment | None:
    """Return an assignment by its id."""
    row = connection.execute(_BY_ID, {"the": assignment}).first()
    return None if row is None else to_assignment(row)


def held(connection: Connection, assignment: int, person: int) -> Held | None:
    """Return a rater's own assignment; None where there is none or it is another's."""
    row: Any = connection.execute(_HELD, {"the": assignment, "rater": person}).first()
    return None if row is None else Held(Assignment(*row[:-3]), *row[-3:])
