"""A small project with a rater or two, in a database of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine
from tests.web.accounts.clients import somebody

from assize.web._project import Project, read_project
from assize.web._queue import Assignment, Nothing, next_assignment, step, sync_project
from assize.web._tasks import Task

RUBRIC = """rubric: small
main: good
sections:
  - questions:
      - {id: good, text: "Is it good?", answers: {1: "no", 2: partly, 3: "yes"}}
"""


@dataclass
class Place:
    """A project, a connection to its database, and what a rater does there."""

    project: Project
    connection: Connection

    def task(self, name: str = "small") -> Task:
        """A task of the project."""
        found = self.project.task(name)
        assert found is not None
        return found

    def person(self, name: str, role: str = "rater") -> int:
        """Somebody's number; they are made."""
        return somebody(self.connection, name, role, 0.0)

    def given(self, person: int, now: float = 0.0, task: str = "small") -> Assignment:
        """The next item of somebody."""
        found = next_assignment(self.connection, self.task(task), person, now)
        assert isinstance(found, Assignment)
        return found

    def answers(
        self, one: Assignment, good: str = "3", now: float = 10.0, task: str = "small"
    ) -> Assignment | Nothing:
        """Submits and takes the next."""
        return step(
            self.connection,
            self.task(task),
            one.id,
            one.person,
            one.revision,
            {"good": good},
            now=now,
            seconds=5.0,
        ).found


def write_project(folder: Path, task: str = "", items: int = 4) -> None:
    """Conversations, a rubric of one question, and a task about both."""
    rows: list[Any] = [
        {
            "id": f"bot-7-{number}",
            "system": "bot-7",
            "turns": [
                {"role": "user", "text": f"Question {number}\nabout something"},
                {"role": "assistant", "text": f"Reply {number}"},
            ],
        }
        for number in range(items)
    ]
    (folder / "talks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    (folder / "small.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "tasks").mkdir(exist_ok=True)
    (folder / "tasks" / "small.yaml").write_text(
        f"task: small\nkind: rate\nitems: talks.jsonl\norder: file\n{task}"
        "settings: {rubric: small.yaml}\n"
    )


@pytest.fixture
def place(sqlite_engine: Engine, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Place]:
    """The project; parametrize it (`indirect`) with further lines of the task's file."""
    write_project(tmp_path, getattr(request, "param", ""))
    project = read_project(tmp_path)
    with sqlite_engine.connect() as connection:
        sync_project(connection, project, 0.0)
        yield Place(project, connection)


@pytest.fixture
def ann(place: Place) -> int:
    return place.person("ann")


@pytest.fixture
def ben(place: Place, ann: int) -> int:
    return place.person("ben")


@pytest.fixture
def one(place: Place, ann: int) -> Assignment:
    """The first item of Ann."""
    return place.given(ann)
