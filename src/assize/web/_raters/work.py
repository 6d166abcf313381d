"""One item before a rater: what it shows, what it asks, and what stands in the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from assize.web._forms import Answers, Field, Form, FormView, view
from assize.web._queue import Assignment, Participant, Stepped, last_answers, read_participant
from assize.web._queue.answer import open_discussion_of
from assize.web._raters.comments import comments_on, why_sent_back
from assize.web._storage.schema import assignments
from assize.web._tasks import Task, as_shown, kind_of

SKIP_REASONS = (
    "I cannot judge this",
    "It is not in a language that I read well",
    "It cannot be read, or something is missing",
    "I do not want to read this",
    "Another reason",
)


@dataclass(frozen=True, slots=True)
class Last:
    """What can be undone: the rater's last submission or skip in the task."""

    assignment: int
    revision: int


@dataclass(frozen=True, slots=True)
class Work:
    """An item as its page shows it.

    Args:
        template: shows the item, with the values `shown`; `paired` shows two sides.
        view: the form, with what was answered or saved before.
        restored: whether a draft stands in the form.
        last: what can be undone; None where nothing can.
        discussion: that of an item whose answer stays as it is; None where it can be changed.
        sent_back: what the proofreader said who rejected it; None where nobody did.
    """

    task: Task
    assignment: Assignment
    template: str
    paired: bool
    shown: Mapping[str, Any]
    view: FormView
    restored: bool
    standing: Participant
    comments: Sequence[Row[Any]] = ()
    last: Last | None = None
    discussion: int | None = None
    sent_back: str | None = None

    @property
    def qualifies(self) -> bool:
        """Whether it belongs to the qualification, which raters know."""
        return self.assignment.purpose == "qualify"


def work_on(
    connection: Connection,
    task: Task,
    assignment: Assignment,
    answers: Answers | None = None,
    problems: Mapping[str, str] | None = None,
    after: Stepped | None = None,
) -> Work:
    """An assignment as its page shows it.

    Args:
        answers: what stands in the form; None takes the draft, or what was submitted.
        problems: by field, what must be put right.
        after: the step that led to it, in this transaction.
    """
    kind, item = kind_of(task), assignment.read()
    form = kind.form(task, item)
    kept = assignment.draft or None
    proposed = as_shown(assignment.suggestion, form, assignment.order)
    if answers is None:
        answers = kept if kept is not None else last_answers(connection, assignment)
    return Work(
        task,
        assignment,
        kind.template,
        kind.paired,
        kind.shown(task, item, assignment.order),
        view(form, answers, problems, proposed),
        kept is not None,
        read_participant(connection, task, assignment.person) if after is None else after.standing,
        comments_on(connection, assignment) if task.comments else (),
        last_of(connection, assignment.task, assignment.person)
        if after is None
        else Last(after.taken.id, after.taken.revision),
        open_discussion_of(connection, assignment),
        why_sent_back(connection, assignment),
    )


_A = assignments.c
_LAST = (  # statements are built once: building them takes longer than asking
    select(_A.id, _A.revision)
    .where(_A.task == bindparam("in_task"), _A.person == bindparam("of_person"))
    .where(_A.state.in_(("done", "skipped")), _A.submitted.is_not(None))
    .order_by(_A.submitted.desc())
    .limit(1)
)


def last_of(connection: Connection, task: int, person: int) -> Last | None:
    """A rater's last submission or skip in a task; None where there is none."""
    row = connection.execute(_LAST, {"in_task": task, "of_person": person}).first()
    return None if row is None else Last(*row)


def drafted(form: Form, posted: Mapping[str, Sequence[str]]) -> dict[str, str | list[str]]:
    """What was filled in so far, unchecked: a draft."""
    return {
        one.name: _value(one, values) for one in form.fields if (values := posted.get(one.name))
    }


def _value(one: Field, values: Sequence[str]) -> str | list[str]:
    return list(values) if one.widget in ("checks", "pick") else values[-1]


def keep_late(
    connection: Connection, assignment: int, person: int, answers: Mapping[str, Any], now: float
) -> bool:
    """Keeps as a draft what came after others had the item; whether it was kept."""
    a = assignments.c
    done = connection.execute(
        update(assignments)
        .where(a.id == assignment, a.person == person, a.state == "expired")
        .values(draft=dict(answers), touched=now)
    )
    return done.rowcount > 0
