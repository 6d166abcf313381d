"""What a person does with an item: save, submit, skip, undo; and the next item with it.

Every submit, skip, undo and return appends to `answers` and raises the assignment's revision. A
form sends the revision that it was shown with. The same thing sent twice (a double click, a retry)
is taken once; something else under an old revision, from another tab, is refused as `Stale`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import Connection, bindparam, insert, select, update

from assize.web._forms import Answers
from assize.web._queue.assignment import Assignment, Held, Nothing, Stale, State
from assize.web._queue.counters import completed, counted
from assize.web._queue.next_item import next_for
from assize.web._queue.standing import Standing, standing
from assize.web._queue.writable import check_free, writable
from assize.web._storage.schema import answers as history
from assize.web._storage.schema import assignments, storable
from assize.web._tasks.definition import Task

Event = Literal["submit", "skip", "undo", "return"]
"""`return` is what a lead undoes for a writer, because a proofreader rejected it."""

_A = assignments.c
_APPEND = insert(history).inline()  # its id is not asked for
_WRITE = update(assignments).where(_A.id == bindparam("the"))


@dataclass(frozen=True, slots=True)
class _Act:
    """What is appended to the history, and the state that follows."""

    event: Event
    to: State
    answers: Answers | None = None
    reason: str | None = None


def submit(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    answers: Answers,
    *,
    now: float,
    seconds: float = 0.0,
    version: int | None = None,
    known: Held | None = None,
) -> Assignment:
    """Takes a person's answers; those of an item answered before replace them (an edit).

    Args:
        assignment: its id; revision: the one that the form was shown with.
        answers: by field, checked by `forms.fill`.
        now: seconds since 1970.
        seconds: of work since the last time anything was saved; more than has passed since then
            is cut.
        version: of the task, that the form was shown with; None is the one under which an open
            item was given, else the one now.
        known: the assignment, where it was read to write in this transaction.

    Returns:
        The assignment as it is now.

    Raises:
        NotYours: there is no such assignment of this person in this task.
        Stale: it was answered otherwise since.
        Gone: it was withdrawn, or ran out and others have the item; the task is closed; the item is
            discussed, where the person sees what others answered.
    """
    act = _Act("submit", "done", answers)
    return _done(connection, task, assignment, person, revision, act, now, seconds, version, known)


def skip(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    reason: str,
    *,
    now: float,
    seconds: float = 0.0,
    version: int | None = None,
) -> Assignment:
    """Passes over an item: unscored, with the person's reason; another person may get it.

    Arguments, result and errors as of `submit`.
    """
    act = _Act("skip", "skipped", reason=storable(reason))
    return _done(connection, task, assignment, person, revision, act, now, seconds, version)


def undo(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    *,
    now: float,
) -> Assignment:
    """Opens what was submitted or skipped again, its answers as a draft; nothing holds meanwhile.

    Arguments, result and errors as of `submit`; Gone also where a skipped item went to others.
    """
    act = _Act("undo", "reserved")
    return _done(connection, task, assignment, person, revision, act, now, 0.0)


def send_back(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    *,
    now: float,
) -> Assignment:
    """As `undo`, for what is sent back to a writer; the item is kept for them without end."""
    act = _Act("return", "reserved")
    return _done(connection, task, assignment, person, revision, act, now, 0.0)


def save_draft(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    answers: Mapping[str, Any],
    *,
    now: float,
    seconds: float = 0.0,
) -> Assignment:
    """Keeps what is filled in so far, unchecked, and keeps the item for the person.

    Arguments, result and errors as of `submit`.
    """
    one = writable(connection, task, assignment, person).one
    if revision != one.revision:
        raise Stale("this item was answered in the meantime")
    check_free(connection, one)
    state = one.state if one.state in ("done", "skipped") else "reserved"
    after = replace(
        one,
        state=state,
        draft=dict(answers),
        seconds=one.seconds + _worked(one, seconds, now),
        reserved_until=_until(task, one, state, now),
        touched=now,
    )
    counted(connection, task, one, state)
    _write(connection, after, now)
    return after


@dataclass(frozen=True, slots=True)
class Stepped:
    """An item answered, and what follows.

    Args:
        taken: the assignment as it is now; found: the next one; standing: the person, after it.
    """

    taken: Assignment
    found: Assignment | Nothing
    standing: Standing


def step(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    answers: Answers,
    *,
    now: float,
    seconds: float = 0.0,
    version: int | None = None,
    known: Held | None = None,
) -> Stepped:
    """`submit`, and the person's next item, in one transaction."""
    act = _Act("submit", "done", answers)
    before, after = _appended(
        connection, task, assignment, person, revision, act, now, seconds, version, known
    )
    stands = standing(connection, task, person)
    found = next_for(connection, task, stands, now)
    completed(connection, task, before, after.state)
    return Stepped(after, found, stands)


def last_answers(connection: Connection, one: Assignment) -> Answers | None:
    """What a person submitted last; None where nothing holds: skipped, undone or not answered."""
    if one.state != "done":
        return None
    h = history.c
    asked = select(h.answers).where(h.assignment == one.id, h.number == one.revision - 1)
    found: Answers = connection.execute(asked).scalar_one()
    return found


def _done(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    act: _Act,
    now: float,
    seconds: float,
    version: int | None = None,
    known: Held | None = None,
) -> Assignment:
    before, after = _appended(
        connection, task, assignment, person, revision, act, now, seconds, version, known
    )
    completed(connection, task, before, after.state)
    return after


def _appended(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    act: _Act,
    now: float,
    seconds: float,
    version: int | None,
    known: Held | None,
) -> tuple[Assignment, Assignment]:
    """The assignment as it was and as it is; the same twice, where this was done already."""
    found = writable(connection, task, assignment, person, known)
    one = found.one
    if revision != one.revision:
        if _same(connection, one, revision, act):
            return one, one
        raise Stale("this item was answered in the meantime, in another window")
    opens = act.to == "reserved"
    if opens and one.state not in ("done", "skipped"):
        raise Stale("there is nothing to undo")
    check_free(connection, one)
    after = replace(
        one,
        state=act.to,
        revision=revision + 1,
        version=_shown(found, version),
        seconds=one.seconds + _worked(one, seconds, now),
        submitted=None if opens else now,
        draft=last_answers(connection, one) if opens else None,
        reserved_until=None if act.event == "return" else _until(task, one, act.to, now),
        touched=now,
    )
    appended = {
        "assignment": one.id,
        "number": revision,
        "event": act.event,
        "version": after.version,
        "answers": act.answers,
        "reason": act.reason,
        "seconds": after.seconds,
        "at": now,
    }
    counted(connection, task, one, act.to)
    connection.execute(_APPEND, appended)
    _write(connection, after, now)
    return one, after


def _same(connection: Connection, one: Assignment, revision: int, act: _Act) -> bool:
    """Whether this was done already, under this revision."""
    h = history.c
    asked = select(h.event, h.answers, h.reason).where(h.assignment == one.id, h.number == revision)
    row = connection.execute(asked).first()
    if row is None:
        return False
    given = None if act.answers is None else dict(act.answers)
    return (row.event, row.answers, row.reason) == (act.event, given, act.reason)


def _shown(found: Held, version: int | None) -> int:
    """The version of the task whose form was filled in."""
    if version is not None:
        return min(max(version, 1), found.version)
    is_open = found.one.state in ("reserved", "expired")
    return found.one.version if is_open else found.version


def _worked(one: Assignment, seconds: float, now: float) -> float:
    if not math.isfinite(seconds):
        return 0.0
    return min(max(seconds, 0.0), max(now - one.touched, 0.0))


def _until(task: Task, one: Assignment, state: State, now: float) -> float | None:
    """Until when the item is kept for the person; what was kept without end stays so."""
    endless = one.state == "reserved" and one.reserved_until is None
    return None if state != "reserved" or endless else now + task.reserve_minutes * 60


def _write(connection: Connection, after: Assignment, now: float) -> None:
    connection.execute(
        _WRITE,
        {
            "the": after.id,
            "state": after.state,
            "revision": after.revision,
            "version": after.version,
            "touched": now,
            "reserved_until": after.reserved_until,
            "submitted": after.submitted,
            "seconds": after.seconds,
            "draft": after.draft,
        },
    )
