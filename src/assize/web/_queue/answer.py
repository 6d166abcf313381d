"""What a rater does with an item: save a draft, submit, skip, undo.

Each submit, skip, undo and return appends a row to `answers` and raises the assignment's revision.
A form sends the revision that it was shown with. The same form sent twice (a double click, a retry)
counts once; another form under an old revision, from another tab, is refused as `Stale`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, insert, select

from assize.web._forms import Answers
from assize.web._queue.assign_item import reservation_end
from assize.web._queue.assignment import (
    Assignment,
    Gone,
    Held,
    Nothing,
    NotYours,
    Stale,
    State,
    held,
)
from assize.web._queue.counts import update_assignment
from assize.web._queue.next_item import next_for
from assize.web._queue.participant import Participant, read_participant
from assize.web._storage.schema import answers as history
from assize.web._storage.schema import discussions, qualifications, storable
from assize.web._tasks.definition import Task

Event = Literal["submit", "skip", "undo", "return"]
_STATES: Mapping[Event, State] = {
    "submit": "done",
    "skip": "skipped",
    "undo": "reserved",
    "return": "reserved",
}
_APPEND = insert(history)  # built once: building it takes longer than running it


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
) -> Assignment:
    """Take a rater's answers; answers to an item that was answered before replace the earlier ones.

    Args:
        assignment: its id; revision: the one that the form was shown with.
        answers: by field, checked by `forms.fill`.
        now: seconds since 1970.
        seconds: of work since anything was saved; at most the time that has passed counts.
        version: of the task that the form was shown with; None is the one of an open
            assignment, else the present one.

    Returns:
        The assignment as it is now.

    Raises:
        NotYours: the rater has no such assignment in this task.
        Stale: the assignment was answered otherwise since.
        Gone: the item was withdrawn or went to others, the task is closed, or the item is under
            discussion, where raters see each other's answers.
    """
    return _record(
        connection,
        task,
        assignment,
        person,
        revision,
        "submit",
        now,
        answers=answers,
        seconds=seconds,
        version=version,
    )


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
    """Leave an item unscored with a reason; another rater may get it. See `submit`."""
    return _record(
        connection,
        task,
        assignment,
        person,
        revision,
        "skip",
        now,
        reason=storable(reason),
        seconds=seconds,
        version=version,
    )


def undo(
    connection: Connection, task: Task, assignment: int, person: int, revision: int, *, now: float
) -> Assignment:
    """Reopen what was submitted or skipped, with its answers as a draft. See `submit`."""
    return _record(connection, task, assignment, person, revision, "undo", now)


def send_back(
    connection: Connection, task: Task, assignment: int, person: int, revision: int, *, now: float
) -> Assignment:
    """Reopen a rejected text for its writer, without an end. See `submit`."""
    return _record(connection, task, assignment, person, revision, "return", now)


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
    """Keep unchecked answers, and the item, for the rater. See `submit`."""
    before = _check_writable(connection, task, assignment, person).one
    if revision != before.revision:
        raise Stale("this item was answered in the meantime")
    _check_undiscussed(connection, before)
    changes: dict[str, Any] = {}
    if before.state not in ("done", "skipped"):
        endless = before.state == "reserved" and before.reserved_until is None
        until = None if endless else reservation_end(task, now)
        changes = {"state": "reserved", "reserved_until": until}
    return update_assignment(
        connection,
        before,
        draft=dict(answers),
        touched=now,
        seconds=before.seconds + _worked(before, seconds, now),
        **changes,
    )


@dataclass(frozen=True, slots=True)
class Stepped:
    """An assignment that was submitted, the rater's next one, and where they stand now."""

    taken: Assignment
    found: Assignment | Nothing
    standing: Participant


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
) -> Stepped:
    """Submit, and get the next item, in one transaction."""
    taken = submit(
        connection,
        task,
        assignment,
        person,
        revision,
        answers,
        now=now,
        seconds=seconds,
        version=version,
    )
    rater = read_participant(connection, task, person)
    return Stepped(taken, next_for(connection, task, rater, now), rater)


def last_answers(connection: Connection, one: Assignment) -> Answers | None:
    """Return what was submitted last; None where it was skipped, undone or not answered."""
    if one.state != "done":
        return None
    asked = select(history.c.answers).where(
        history.c.assignment == one.id, history.c.number == one.revision - 1
    )
    answers: Answers = connection.execute(asked).scalar_one()
    return answers


def open_discussion_of(connection: Connection, one: Assignment) -> int | None:
    """Return the discussion, open or settled, in which a rater sees others' answers."""
    if one.state != "done":
        return None
    asked = select(discussions.c.id).where(discussions.c.item == one.item)
    return connection.execute(asked).scalar_one_or_none()


def _record(
    connection: Connection,
    task: Task,
    assignment: int,
    person: int,
    revision: int,
    event: Event,
    now: float,
    *,
    answers: Answers | None = None,
    reason: str | None = None,
    seconds: float = 0.0,
    version: int | None = None,
) -> Assignment:
    """Append an event to the history of an assignment, and write the state that follows."""
    current = _check_writable(connection, task, assignment, person)
    before, state = current.one, _STATES[event]
    if revision != before.revision:
        if _is_recorded(connection, before, revision, event, answers, reason):
            return before
        raise Stale("this item was answered in the meantime, in another window")
    reopens = state == "reserved"
    if reopens and before.state not in ("done", "skipped"):
        raise Stale("there is nothing to undo")
    _check_undiscussed(connection, before)
    after = update_assignment(
        connection,
        before,
        state=state,
        revision=revision + 1,
        version=_shown_version(current, version),
        seconds=before.seconds + _worked(before, seconds, now),
        submitted=None if reopens else now,
        draft=last_answers(connection, before) if reopens else None,
        reserved_until=reservation_end(task, now) if event == "undo" else None,
        touched=now,
    )
    entry = {
        "assignment": after.id,
        "number": revision,
        "event": event,
        "version": after.version,
        "answers": answers,
        "reason": reason,
        "seconds": after.seconds,
        "at": now,
    }
    connection.execute(_APPEND, entry)
    return after


def _check_writable(connection: Connection, task: Task, assignment: int, person: int) -> Held:
    found = held(connection, assignment, person)
    if found is None or found.task != task.name:
        raise NotYours(f"you have no assignment {assignment} in {task.name!r}")
    if found.state == "closed":
        raise Gone("this task is closed; nothing more is taken")
    if found.one.state == "withdrawn":
        raise Gone("this item was given to someone else")
    if found.one.purpose == "qualify" and _is_graded(connection, found.one):
        raise Gone("this round is graded; its answers stay as they are")
    return found


def _check_undiscussed(connection: Connection, one: Assignment) -> None:
    if open_discussion_of(connection, one) is not None:
        raise Gone("this item is discussed, with what others answered; your answer stays as it is")


def _is_graded(connection: Connection, one: Assignment) -> bool:
    q = qualifications.c
    asked = select(q.attempt, q.result).where(q.task == one.task, q.person == one.person)
    row = connection.execute(asked).first()
    return row is not None and (row.result is not None or one.repeat < row.attempt)


def _is_recorded(
    connection: Connection,
    one: Assignment,
    revision: int,
    event: Event,
    answers: Answers | None,
    reason: str | None,
) -> bool:
    """Whether this very event stands in the history under this revision."""
    asked = select(history.c.event, history.c.answers, history.c.reason).where(
        history.c.assignment == one.id, history.c.number == revision
    )
    row = connection.execute(asked).first()
    given = None if answers is None else dict(answers)
    return row is not None and tuple(row) == (event, given, reason)


def _shown_version(current: Held, version: int | None) -> int:
    """Return the version of the task whose form was filled in."""
    if version is not None:
        return min(max(version, 1), current.version)
    is_open = current.one.state in ("reserved", "expired")
    return current.one.version if is_open else current.version


def _worked(one: Assignment, seconds: float, now: float) -> float:
    if not math.isfinite(seconds):
        return 0.0
    return min(max(seconds, 0.0), max(now - one.touched, 0.0))
