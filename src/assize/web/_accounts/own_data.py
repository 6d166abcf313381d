"""What a project keeps of one person, for that person to read and take along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, select

from assize.web._storage.schema import (
    answers,
    assignments,
    chats,
    comments,
    consents,
    messages,
    people,
    tasks,
)


def own_data(connection: Connection, person: int) -> Mapping[str, Any]:
    """All that somebody wrote or agreed to, as JSON can say it.

    What would tell which system wrote a text, or which items are checks, is not in it: neither
    items' ids nor what was right.

    Returns:
        `name`, `role`, `created`; `consents`, `answers`, `comments` and `chats`, each a list in
        order of time, times in seconds since 1970.
    """
    p = people.c
    about = connection.execute(select(p.name, p.role, p.created).where(p.id == person)).one()
    return {
        **about._asdict(),
        "consents": given_consents(connection, person),
        "answers": _rows(connection, _answers(person)),
        "comments": _rows(
            connection,
            select(tasks.c.name.label("task"), comments.c.kind, comments.c.text, comments.c.at)
            .join(tasks, tasks.c.id == comments.c.task)
            .where(comments.c.person == person)
            .order_by(comments.c.at),
        ),
        "chats": _rows(
            connection,
            select(
                chats.c.id.label("chat"),
                tasks.c.name.label("task"),
                messages.c.place,
                messages.c.side,
                messages.c.role,
                messages.c.text,
                messages.c.at,
            )
            .join(chats, chats.c.id == messages.c.chat)
            .join(tasks, tasks.c.id == chats.c.task)
            .where(chats.c.person == person)
            .order_by(chats.c.created, chats.c.id, messages.c.place, messages.c.side),
        ),
    }


def given_consents(connection: Connection, person: int) -> Sequence[Mapping[str, Any]]:
    """What somebody agreed to: `task`, `text` word for word, `at`."""
    return _rows(
        connection,
        select(tasks.c.name.label("task"), consents.c.text, consents.c.at)
        .join(tasks, tasks.c.id == consents.c.task)
        .where(consents.c.person == person)
        .order_by(consents.c.at),
    )


def _answers(person: int) -> Select[Any]:
    return (
        select(
            tasks.c.name.label("task"),
            assignments.c.id.label("assignment"),
            answers.c.number,
            answers.c.event,
            answers.c.answers,
            answers.c.reason,
            answers.c.seconds,
            answers.c.at,
        )
        .join(assignments, assignments.c.id == answers.c.assignment)
        .join(tasks, tasks.c.id == assignments.c.task)
        .where(assignments.c.person == person)
        .order_by(answers.c.at, answers.c.id)
    )


def _rows(connection: Connection, asked: Select[Any]) -> Sequence[Mapping[str, Any]]:
    return [row._asdict() for row in connection.execute(asked)]
