"""A small project: a task `chats` of three conversations, and people who answered some."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import Connection, insert, select

from assize.web._project import Project, read_project
from assize.web._queue import Assignment, next_assignment, submit, sync_project
from assize.web._storage.schema import consents, items, tasks

TASK = """\
task: chats
title: Chats
kind: rate
items: [conversations.jsonl]
raters_per_item: 2
order: file
settings: {rubric: information-seeking}
"""


def write_project(folder: Path, said: str = "Hello", task: str = TASK, size: int = 3) -> Project:
    """Writes the files and reads them."""
    lines = [
        {
            "id": f"c{place}",
            "system": "hidden-bot",
            "turns": [
                {"role": "user", "text": said},
                {"role": "assistant", "text": f"{said} too"},
            ],
        }
        for place in range(size)
    ]
    (folder / "tasks").mkdir(exist_ok=True)
    (folder / "conversations.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    (folder / "tasks" / "chats.yaml").write_text(task)
    return read_project(folder)


def given(connection: Connection, project: Project, person: int, now: float) -> Assignment:
    """The next item of the task `chats`."""
    sync_project(connection, project, now)
    found = next_assignment(connection, project.tasks[0], person, now)
    assert isinstance(found, Assignment)
    return found


def answered(connection: Connection, project: Project, person: int, now: float) -> Assignment:
    """The next item, answered."""
    one = given(connection, project, person, now)
    return submit(
        connection,
        project.tasks[0],
        one.id,
        person,
        one.revision,
        {"Q0": "3"},
        now=now + 5,
        seconds=4.0,
    )


def consent(connection: Connection, person: int, text: str, now: float) -> None:
    """Agrees to something."""
    task = connection.scalars(select(tasks.c.id)).first()
    connection.execute(insert(consents).values(person=person, task=task, text=text, at=now))


def counts(connection: Connection) -> list[tuple[str, int, int]]:
    """By item what is taken and done."""
    i = items.c
    return [
        tuple(row) for row in connection.execute(select(i.key, i.taken, i.done).order_by(i.key))
    ]
