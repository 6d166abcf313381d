"""An item given to a person, why none is given, and why an answer is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, bindparam, select

from assize.base.conversation import Item
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment, Order
from assize.formats.records import parse
from assize.web._forms import Answers
from assize.web._storage.schema import assignments, items, tasks

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
    """One item of a task, given to one person.

    Args:
        id: stands in addresses; every function asks whose it is.
        item: the item's number in the database; `key` is the record's own id.
        record: the item as its file has it; `read` makes the item of it.
        purpose: never shown: a rater must not know which items are gold.
        chosen: how it came to this person. One that is `written` keeps the writer from
            proofreading it, and is withdrawn from the start.
        repeat: of a qualification, its attempt, from 0; else 0.
        order: `BA` where the sides of a pair are exchanged for this person.
        revision: number of its next answer; a form sends it back, and an older one is refused.
        version: of the task when it was given, or last answered.
        reserved_until: seconds since 1970; after it, others may get the item.
        seconds: of work so far.
        draft: what was saved and not submitted, by field.
        suggestion: what a judge proposes, by question; None where nothing is shown.
        touched: when it was last given, saved or answered.
        new: given in this very step, so that nothing was said about it or kept of it yet.
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
    new: bool = False

    def read(self) -> Item:
        """The conversation, pair or continuation."""
        found = parse(self.record)
        assert not isinstance(found, Judgment)
        return found


@dataclass(frozen=True, slots=True)
class Held:
    """An assignment of a person, and its task as it is now.

    Args:
        task: its name; version, state: of the task.
    """

    one: Assignment
    task: str
    version: int
    state: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """No item for this person now.

    Args:
        why: `finished` all that was there for them is answered; `wait` what is left is with
            others, and may come back; `allowance` they have had as many as they may;
            `failed` the qualification; `consent` it is asked for first; `paused`, `closed` the
            task; `not_invited` it is not theirs.
    """

    why: Why


class Refused(AssizeError):
    """An answer that is not taken; nothing was changed."""


class Stale(Refused):
    """It belongs to an older revision: the form was answered elsewhere, in another tab."""


class Gone(Refused):
    """The item is no longer this person's: withdrawn, removed, or given to others for good."""


class NotYours(Refused):
    """There is no such assignment of this person."""


_WIDTH = len(fields(Assignment)) - 1  # all but `new`


def selected() -> Select[Any]:
    """Assignments with what their item says, as `assignment_of` reads them."""
    a, i = assignments.c, items.c
    return select(
        a.id,
        a.task,
        a.item,
        i.key,
        a.person,
        i.record,
        i.purpose,
        a.state,
        a.chosen,
        a.repeat,
        a.order,
        a.revision,
        a.version,
        a.reserved_until,
        a.submitted,
        a.seconds,
        a.draft,
        a.suggestion,
        a.touched,
    ).join(items, i.id == a.item)


def assignment_of(row: Row[Any]) -> Assignment:
    """The assignment of a row of `selected`."""
    found: Sequence[Any] = row
    return Assignment(*found[:_WIDTH])


_A, _T = assignments.c, tasks.c
_HELD = (  # statements are built once: building them takes longer than asking
    selected()
    .add_columns(_T.name.label("named"), _T.version.label("current"), _T.state.label("task_state"))
    .join(tasks, _T.id == _A.task)
    .where(_A.id == bindparam("the"), _A.person == bindparam("of_person"))
)


def held(connection: Connection, number: int, person: int) -> Held | None:
    """A person's own assignment, by its id; None where there is none or it is somebody else's."""
    row = connection.execute(_HELD, {"the": number, "of_person": person}).first()
    if row is None:
        return None
    return Held(assignment_of(row), str(row.named), int(row.current), str(row.task_state))


def assignment(connection: Connection, number: int, person: int) -> Assignment:
    """The same.

    Raises:
        NotYours: there is none, or it is somebody else's; the two are not told apart.
    """
    found = held(connection, number, person)
    if found is None:
        raise NotYours(f"you have no assignment {number}")
    return found.one
