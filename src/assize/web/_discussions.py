"""Discussions of items on which raters disagree: a thread of comments, and a lead's answer.

Raters are Rater 1, Rater 2, ... within one discussion, in an order that tells nothing about when
they worked; leads are `Lead`. A rater sees a discussion of an item only once they have answered
it themselves. It ends when a lead answers the item on its own form, as the judge `adjudicated`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from assize.base.conversation import Item
from assize.base.errors import AssizeError, ConfigError
from assize.base.judgment import Judgment, Question
from assize.base.signature import sign_text
from assize.web._exporting.ratings import last_answers, rating_of, time_of
from assize.web._forms import Answers
from assize.web._storage.schema import answers as history
from assize.web._storage.schema import assignments, comments, discussions, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.inputs import read_item
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.marking import answer_in

LEAD = "Lead"
JUDGE = "adjudicated"
LONGEST = 5_000  # characters of a message
_RATED = {"seconds", "version", "chosen"}  # details that only a rating has
_D, _A = discussions.c, assignments.c


@dataclass(frozen=True, slots=True)
class Discussion:
    """A discussion as somebody sees it.

    Args:
        id: in addresses. item: the item's number; `key` is the record's own id.
        questions: those whose answers are shown: all but counts, free texts and those about
            single turns.
        answers: by question what each rater answered, by label.
        settled: what a lead answered on the item's form, by field; `reason` is the lead's.
        messages: author, text, at, and whether it is `mine`, the reader's.
        me: the reader's label.
    """

    id: int
    task: str
    item: int
    key: str
    record: Item
    is_open: bool
    questions: Sequence[Question]
    answers: Mapping[str, Mapping[str, str]]
    messages: Sequence[Mapping[str, Any]]
    raters: Sequence[str]
    me: str
    settled: Answers = field(default_factory=dict)
    reason: str = ""
    closed: float | None = None

    @property
    def disputed(self) -> Sequence[Question]:
        """The questions that were answered in more than one way."""
        return [one for one in self.questions if len(set(self.answers[one.id].values())) > 1]


_MESSAGES = select(func.count()).where(comments.c.discussion == _D.id).scalar_subquery()
_ROWS = (
    select(
        discussions,
        items.c.key,
        items.c.record,
        tasks.c.name.label("task_name"),
        _MESSAGES.label("messages"),
    )
    .join(items, items.c.id == _D.item)
    .join(tasks, tasks.c.id == _D.task)
)


def discussion(
    connection: Connection, known: Sequence[Task], number: int, person: int, *, lead: bool = False
) -> Discussion | None:
    """Return a discussion as a person sees it.

    Args:
        known: the project's tasks.
        lead: whether the person may see every discussion.

    Returns:
        None where there is none, or it is not theirs: the two look the same.
    """
    row = connection.execute(_ROWS.where(_D.id == number)).first()
    task = None if row is None else next((one for one in known if one.name == row.task_name), None)
    if row is None or task is None:
        return None
    members = answered_by(connection, row.item)
    if not lead and person not in members:
        return None
    labels = label_raters(connection, row)
    c = comments.c
    messages = connection.execute(
        select(c.person, c.text, c.at, people.c.role)
        .join(people, people.c.id == c.person)
        .where(c.discussion == row.id)
        .order_by(c.id)
    )
    questions = open_questions(task)
    return Discussion(
        row.id,
        task.name,
        row.item,
        row.key,
        read_item(row.record),
        row.state == "open",
        questions,
        answers_by_label(connection, task, row.item, labels, questions),
        [
            {
                "author": LEAD if row.role == "admin" else labels.get(row.person, "A rater"),
                "text": row.text,
                "at": row.at,
                "mine": row.person == person,
            }
            for row in messages
        ],
        [label for number, label in labels.items() if number in members],
        LEAD if lead else labels[person],
        row.answers or {},
        row.reason or "",
        row.settled,
    )


def open_questions(task: Task) -> list[Question]:
    """Return the questions whose answers a discussion shows: named ones, or numbers of people."""
    kind = kind_of(task)
    return [one for one in kind.questions(task) if one.kind != "text" and one.id not in kind.counts]


def discussions_of(
    connection: Connection, *, task: str | None = None, person: int | None = None
) -> Sequence[Any]:
    """Return rows of discussions, those that are open first, then the newest.

    Args:
        task: only of this one.
        person: only those of items that this person has answered.
    """
    asked: Select[Any] = _ROWS.order_by(_D.state != "open", _D.opened.desc())
    if task is not None:
        asked = asked.where(tasks.c.name == task)
    if person is not None:
        mine = select(_A.item).where(_A.person == person, _A.state == "done")
        asked = asked.where(_D.item.in_(mine))
    return connection.execute(asked).all()


def answers_by_label(
    connection: Connection,
    task: Task,
    item: int,
    labels: Mapping[int, str],
    questions: Sequence[Question],
) -> dict[str, dict[str, str]]:
    """Return by question what each rater answered, by label; NA is an answer."""
    answers: dict[str, dict[int, str]] = {one.id: {} for one in questions}
    for row in last_answers(connection, task, ("rate", "pilot"), item=item):
        if row.state != "done":
            continue
        try:
            made = kind_of(task).judgments(
                task, read_item(row.record), row.answers or {}, rating_of(row)
            )
        except (AssizeError, LookupError):  # of a version that asked something else
            continue
        for judgment in made:
            said = answer_in(judgment)
            if judgment.question in answers and judgment.turn is None and said is not None:
                answers[judgment.question][row.person] = said
    return {
        name: {labels[person]: given[person] for person in labels if person in given}
        for name, given in answers.items()
    }


def answered_by(connection: Connection, item: int) -> set[int]:
    """Return who has answered an item, by number."""
    return set(connection.scalars(select(_A.person).where(_A.item == item, _A.state == "done")))


def label_raters(connection: Connection, row: Any) -> dict[int, str]:
    """Return the label of everybody who ever answered the item of a discussion, by person.

    Who had answered when it was opened stands first, in an order that tells nothing; then who did
    later. Everybody keeps a place, so that no label moves to another person.
    """
    first = func.min(history.c.at).label("first")
    rows = connection.execute(
        select(_A.person, first)
        .join(history, history.c.assignment == _A.id)
        .where(_A.item == row.item, history.c.event == "submit")
        .group_by(_A.person)
    ).all()

    def order(one: Any) -> tuple[float, str]:
        late = one.first if one.first > row.opened else 0.0
        return late, sign_text(f"discussion|{row.id}|{one.person}")

    ordered = sorted(rows, key=order)
    return {one.person: f"Rater {place}" for place, one in enumerate(ordered, start=1)}


def open_discussion(connection: Connection, task: Task, key: str, person: int, now: float) -> int:
    """Open the discussion of an item, or find the one there is; return its number.

    Args:
        key: the item's own id. person: the lead who opens it.

    Raises:
        ConfigError: there is no such item, or fewer than two raters have answered it.
    """
    row = connection.execute(
        select(items.c.id, items.c.task)
        .join(tasks, tasks.c.id == items.c.task)
        .where(tasks.c.name == task.name, items.c.key == key, items.c.purpose == "rate")
        .where(~items.c.removed)
    ).first()
    if row is None:
        raise ConfigError(f"the task has no item {key!r}")
    known = connection.scalar(select(_D.id).where(_D.item == row.id))
    if known is not None:
        return int(known)
    if len(answered_by(connection, row.id)) < 2:
        raise ConfigError(
            f"fewer than two raters have answered {key!r}; there is nothing to settle"
        )
    made = insert(discussions).values(
        task=row.task, item=row.id, state="open", opened_by=person, opened=now
    )
    return int(connection.execute(made.returning(_D.id)).scalar_one())


def say(connection: Connection, found: Discussion, person: int, text: str, now: float) -> None:
    """Add a message.

    Raises:
        ConfigError: it is empty or too long, or the discussion is settled.
    """
    _check_open(found)
    words = text.strip()
    if not 0 < len(words) <= LONGEST:
        raise ConfigError(f"a message has 1 to {LONGEST:,} characters; this has {len(words):,}")
    task = select(_D.task).where(_D.id == found.id).scalar_subquery()
    connection.execute(
        insert(comments).values(
            task=task,
            item=found.item,
            discussion=found.id,
            person=person,
            kind="discussion",
            text=words,
            at=now,
        )
    )


def settle(
    connection: Connection,
    found: Discussion,
    person: int,
    answers: Answers,
    reason: str,
    now: float,
) -> None:
    """Settle it as a lead, with the lead's own answers to the item.

    Args:
        answers: by field of the item's form, as `fill` read them.

    Raises:
        ConfigError: the discussion is settled.
    """
    _check_open(found)
    values = {"answers": dict(answers), "reason": reason.strip()[:LONGEST] or None}
    closed = {"state": "settled", "settled": now, "settled_by": person}
    connection.execute(update(discussions).where(_D.id == found.id).values(**values, **closed))


def reopen(connection: Connection, found: Discussion) -> None:
    """Take back what was settled; the messages stay."""
    values = dict.fromkeys(("answers", "reason", "settled", "settled_by"))
    connection.execute(update(discussions).where(_D.id == found.id).values(state="open", **values))


def _check_open(found: Discussion) -> None:
    if not found.is_open:
        raise ConfigError("this discussion is settled")


def adjudicated(connection: Connection, task: Task) -> list[Judgment]:
    """Return the judgments that leads' answers in a task's settled discussions make.

    They are those that a rater's answers on the same form would make. Their details have what the
    raters had answered, by label, so that no name stands in them, and the lead's reason. Answers of
    which the task as it is now makes no judgments are left out.
    """
    asked = _ROWS.where(tasks.c.name == task.name, _D.state == "settled").order_by(_D.id)
    questions, judgments = open_questions(task), []
    for row in connection.execute(asked).all():
        rating = Rating(JUDGE, version=0, seconds=0.0, at=time_of(row.settled))
        try:
            made = kind_of(task).judgments(task, read_item(row.record), row.answers or {}, rating)
        except (AssizeError, LookupError):
            continue
        labels = label_raters(connection, row)
        by_label = answers_by_label(connection, task, row.item, labels, questions)
        for judgment in made:
            known = judgment.details or {}
            details = {name: value for name, value in known.items() if name not in _RATED}
            if judgment.question in by_label and judgment.turn is None:
                details["answers"] = by_label[judgment.question]
            if row.reason:
                details["reason"] = row.reason
            judgments.append(replace(judgment, details=details))
    return judgments
