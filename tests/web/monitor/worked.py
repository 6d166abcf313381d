"""A project in a folder, and people who work in it through the queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from sqlalchemy import update
from starlette.testclient import TestClient
from tests.web.accounts.clients import somebody
from tests.web.blank import with_tables
from tests.web.tasks.making import lines

from assize.web._accounts.sessions import COOKIE, begin_session
from assize.web._app import create_app
from assize.web._project import Project, read_project
from assize.web._queue import Assignment, next_assignment, skip, submit, sync_project
from assize.web._storage import Store, open_store
from assize.web._storage.schema import sessions

NOW = 1_700_000_000.0
RUBRIC = """
rubric: two
version: 1
title: Two questions
about: two questions about a conversation
main: clear
instructions: Read it first.
sections:
  - title: The answer
    instructions: About the answer.
    questions:
      - id: clear
        text: Is it clear?
        answers: {1: not at all, 2: hardly, 3: mostly, 4: "yes"}
      - id: kind
        text: Is it kind?
        answers: {1: not at all, 2: hardly, 3: mostly, 4: "yes"}
"""
TASK = """
task: two
title: Clear and kind
kind: rate
items: conversations.jsonl
raters_per_item: 3
settings: {rubric: two.yaml}
"""

Answer = Callable[[str, Assignment], Mapping[str, str | list[str]] | None]
"""What a rater of that name answers to an item; None skips it."""


def write_project(folder: Path, *, items: int = 6, more: str = "", gold: int = 0) -> None:
    """A project with one task; the first items are gold, with the answer 2 to both questions."""
    (folder / "tasks").mkdir(exist_ok=True)
    (folder / "two.yaml").write_text(RUBRIC)
    talks = [
        {
            "id": f"c{n}",
            "turns": [
                {"role": "user", "text": f"Question {n}?"},
                {"role": "assistant", "text": f"Answer {n}."},
            ],
        }
        for n in range(items + gold)
    ]
    lines(folder / "conversations.jsonl", talks)
    text = TASK + more
    if gold:
        rows = [
            {"item": f"c{n}", "judge": "gold", "question": name, "answer": "2"}
            for n in range(gold)
            for name in ("clear", "kind")
        ]
        lines(folder / "gold.jsonl", rows)
        text += "gold: {judgments: gold.jsonl, every: 3}\n"
    (folder / "tasks" / "two.yaml").write_text(text)


class Worked:
    """A project, its store, and who works in it."""

    def __init__(self, folder: Path) -> None:
        self.project: Project = read_project(folder)
        self.store: Store = open_store(with_tables(self.project.database))
        self.store.write_now(sync_project, self.project, NOW)
        self.task = self.project.tasks[0]
        self.now = NOW

    def person(self, name: str, role: str = "rater") -> int:
        """Their number; made where there is none."""
        return self.store.write_now(somebody, name, role, NOW)

    def rate(self, name: str, answer: Answer, most: int = 1000) -> int:
        """Has a rater answer what the queue gives; how many."""
        person = self.person(name)
        for count in range(most):
            self.now += 60
            given = self.store.write_now(next_assignment, self.task, person, self.now)
            if not isinstance(given, Assignment):
                return count
            said = answer(name, given)
            self.now += 30
            about = (self.task, given.id, person, given.revision)
            if said is None:
                self.store.write_now(skip, *about, "no idea", now=self.now, seconds=10.0)
            else:
                self.store.write_now(submit, *about, said, now=self.now, seconds=30.0)
        return most

    def client(self, name: str = "lead", role: str = "admin") -> TestClient:
        """A client of the app, signed in as somebody; a lead unless said otherwise."""
        app = create_app(self.project, self.store, clock=lambda: self.now)
        client = TestClient(app, follow_redirects=True)
        token = self.store.write_now(begin_session, self.person(name, role), NOW)
        self.store.write_now(lambda one: one.execute(update(sessions).values(csrf="csrf")))
        client.cookies.set(COOKIE, token)
        return client


def two(clear: str, kind: str) -> dict[str, str]:
    """Answers to both questions."""
    return {"clear": clear, "kind": kind}


def reword(worked: Worked) -> None:
    """Changes what the first item says."""
    place = worked.project.folder / "conversations.jsonl"
    place.write_text(place.read_text().replace("Answer 0.", "Another answer."))
    worked.store.write_now(sync_project, worked.project, worked.now)
