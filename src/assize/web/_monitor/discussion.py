"""Discussions of items on which raters disagree: who takes part, what was said, how they end.

Raters are Rater 1, Rater 2, ... within one discussion, in an order that tells nothing about when
they worked; leads are `Lead`. A rater sees a discussion of an item only once they have answered
it themselves. It ends when a lead settles it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from assize.base.conversation import Item
from assize.base.judgment import Question
from assize.base.signature import sign_text
from assize.web._forms import Answers
from assize.web._monitor.reading import judged_forms
from assize.web._monitor.records import read_items
from assize.web._storage.schema import answers as history
from assize.web._storage.schema import assignments, comments, discussions, items, people, tasks
from assize.web._tasks.definition import Task
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.marking import answer_in

LEAD = "Lead"


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody said; `mine` where it was the reader."""

    author: str
    text: str
    at: float
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Discussion:
    """A discussion as somebody sees it.

    Args:
        id: in addresses. item: the item's number; `key` is the record's own id.
        questions: those whose answers are shown: all but counts, free texts and those about
            single turns.
        answers: by question what each rater answered, by label.
        settled: what a lead answered on the item's form, by field; `reason` is the lead's.
        me: the reader's label.
    """

    id: int
    task: str
    item: int
    key: str
    state: str
    questions: Sequence[Question]
    answers: Mapping[str, Mapping[str, str]]
    messages: Sequence[Message]
    raters: Sequence[str]
    me: str
    settled: Answers = field(default_factory=dict)
    reason: str = ""
    opened: float = 0.0
    closed: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether anything can still be said."""
        return self.state == "open"

    @property
    def disputed(self) -> Sequence[Question]:
        """The questions that were answered in more than one way."""
        return [one for one in self.questions if len(set(self.answers[one.id].values())) > 1]


def discussion(
    connection: Connection, known: Sequence[Task], number: int, person: int, *, lead: bool = False
) -> Discussion | None:
    """A discussion as a person sees it.

    Args:
        known: the project's tasks.
        lead: whether the person may see every discussion.

    Returns:
        None where there is none, or it is not theirs: the two look the same.
    """
    row = _row(connection, number)
    task = None if row is None else next((one for one in known if one.name == row.task_name), None)
    if row is None or task is None:
        return None
    members = answered_by(connection, row.item)
    if not lead and person not in members:
        return None
    labels = _labels(connection, row.id, row.item, row.opened)
    me = LEAD if lead else labels[person]
    questions = open_questions(task)
    return Discussion(
        row.id,
        task.name,
        row.item,
        row.key,
        row.state,
        questions,
        answers_by_label(connection, task, row.item, labels, questions),
        [
            Message(_author(one, labels), one.text, one.at, one.person == person)
            for one in _said(connection, row.id)
        ],
        [labels[one] for one in sorted(members, key=lambda who: _place(labels[who]))],
        me,
        row.answers or {},
        row.reason or "",
        row.opened,
        row.settled,
    )


def item_of(connection: Connection, found: Discussion) -> Item:
    """The record that a discussion is about."""
    return read_items(connection, {found.item})[found.item]


def open_questions(task: Task) -> list[Question]:
    """The questions of a task whose answers a discussion shows: those whose answers are named,
    or numbers that people gave."""
    kind = kind_of(task)
    return [one for one in kind.questions(task) if one.kind != "text" and one.id not in kind.counts]


@dataclass(frozen=True, slots=True)
class Listed:
    """A discussion in a list."""

    id: int
    task: str
    key: str
    state: str
    messages: int
    opened: float
    settled: float | None


def discussions_of(
    connection: Connection, *, task: Task | None = None, person: int | None = None
) -> list[Listed]:
    """Discussions, those that are open first, then the newest.

    Args:
        task: only of this one.
        person: only those of items that this person has answered.
    """
    rows = connection.execute(_listing(task)).all()
    said = connection.execute(
        select(comments.c.discussion, comments.c.id).where(comments.c.kind == "discussion")
    ).all()
    counts: dict[int, int] = {}
    for one in said:
        counts[one.discussion] = counts.get(one.discussion, 0) + 1
    found = [
        Listed(
            row.id,
            row.task_name,
            row.key,
            row.state,
            counts.get(row.id, 0),
            row.opened,
            row.settled,
        )
        for row in rows
        if person is None or person in answered_by(connection, row.item)
    ]
    return sorted(found, key=lambda one: (one.state != "open", -one.opened))


def answers_by_label(
    connection: Connection,
    task: Task,
    item: int,
    labels: Mapping[int, str],
    questions: Sequence[Question],
) -> dict[str, dict[str, str]]:
    """By question what each rater answered, by label; NA is an answer."""
    wanted = {one.id for one in questions}
    found: dict[str, dict[str, str]] = {one.id: {} for one in questions}
    for person, made in judged_forms(connection, task, item):
        for row in made:
            said = answer_in(row)
            if row.question in wanted and row.turn is None and said is not None:
                found[row.question][labels[person]] = said
    return {
        name: dict(sorted(said.items(), key=lambda pair: _place(pair[0])))
        for name, said in found.items()
    }


def label_of(connection: Connection, number: int) -> dict[int, str]:
    """The label of everybody who had the item of a discussion, by person."""
    row = _row(connection, number)
    return {} if row is None else _labels(connection, row.id, row.item, row.opened)


def _listing(task: Task | None) -> Any:
    d = discussions.c
    asked = (
        select(
            d.id, d.item, d.state, d.opened, d.settled, items.c.key, tasks.c.name.label("task_name")
        )
        .join(items, items.c.id == d.item)
        .join(tasks, tasks.c.id == d.task)
    )
    return asked if task is None else asked.where(tasks.c.name == task.name)


def _row(connection: Connection, number: int) -> Any:
    d = discussions.c
    return connection.execute(
        select(
            d.id,
            d.item,
            d.state,
            d.answers,
            d.reason,
            d.opened,
            d.settled,
            items.c.key,
            tasks.c.name.label("task_name"),
        )
        .join(items, items.c.id == d.item)
        .join(tasks, tasks.c.id == d.task)
        .where(d.id == number)
    ).first()


def answered_by(connection: Connection, item: int) -> set[int]:
    """Who has answered an item, by number."""
    a = assignments.c
    rows = connection.execute(select(a.person).where(a.item == item, a.state == "done"))
    return {row.person for row in rows}


def _labels(connection: Connection, number: int, item: int, opened: float) -> dict[int, str]:
    """Who had answered when it was opened, in an order that tells nothing; then who did later.

    Everybody who ever answered keeps a place, so that no label moves to another person.
    """
    a = assignments.c
    rows = connection.execute(
        select(a.person, func.min(history.c.at).label("first"))
        .join(history, history.c.assignment == a.id)
        .where(a.item == item, history.c.event == "submit")
        .group_by(a.person)
    ).all()

    def order(row: Any) -> tuple[bool, float, str]:
        late = row.first > opened
        return late, row.first if late else 0.0, sign_text(f"discussion|{number}|{row.person}")

    found = sorted(rows, key=order)
    return {row.person: f"Rater {place}" for place, row in enumerate(found, start=1)}


def _said(connection: Connection, number: int) -> Sequence[Any]:
    c = comments.c
    return connection.execute(
        select(c.person, c.text, c.at, people.c.role)
        .join(people, people.c.id == c.person)
        .where(c.discussion == number)
        .order_by(c.id)
    ).all()


def _author(row: Any, labels: Mapping[int, str]) -> str:
    return LEAD if row.role == "admin" else labels.get(row.person, "A rater")


def _place(label: str) -> int:
    return int(label.rpartition(" ")[2])
