"""A writers' task and a proofreaders' task, and people who work on both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, insert, select
from tests.web.tasks.making import make_task
from tests.web.tasks.test_write import BRIEF

from assize.web._forms import Answers
from assize.web._project import Project
from assize.web._queue import Assignment, Nothing, next_assignment, submit, sync_project, undo
from assize.web._queue.counts import recount
from assize.web._queue.passing_on import pass_on
from assize.web._queue.rejections import rejections, send_text_back
from assize.web._storage.schema import items, people, tasks
from assize.web._tasks import Task

ANNA, BEN, LEA, CARA = 1, 2, 3, 4
NO = {"proofread": "rejected", "comment": "too curt"}
YES = {"proofread": "accepted"}


@dataclass
class Office:
    """Writers and their proofreaders; three people, and a lead."""

    connection: Connection
    writing: Task
    reading: Task
    now: float = 1_000.0

    def given(self, task: Task, person: int) -> Any:
        """The person's next item; None where there is none."""
        self.now += 1
        found = next_assignment(self.connection, task, person, self.now)
        return None if isinstance(found, Nothing) else found

    def answer(self, task: Task, person: int, answers: Answers) -> Assignment:
        """Submits the person's next item."""
        return self.change(task, self.given(task, person), answers)

    def write(self, person: int, answers: Answers) -> Assignment:
        return self.answer(self.writing, person, answers)

    def change(self, task: Task, one: Assignment, answers: Answers) -> Assignment:
        """Submits an item again."""
        self.now += 1
        return submit(
            self.connection, task, one.id, one.person, one.revision, answers, now=self.now
        )

    def undo(self, task: Task, one: Assignment) -> Assignment:
        self.now += 1
        return undo(self.connection, task, one.id, one.person, one.revision, now=self.now)

    def passed(self) -> int:
        found = pass_on(self.connection, [self.reading, self.writing])
        self.check()
        return found

    def rejected(self) -> list[Any]:
        """What the lead may send back."""
        rows = rejections(self.connection, self.writing, self.reading)
        return [row for row, _ in rows]

    def send_back(self, item: int) -> None:
        """The lead sends a text back to its writer."""
        self.now += 1
        send_text_back(self.connection, self.writing, self.reading, item, self.now)

    def texts(self) -> list[str]:
        """The first turn of each conversation that is there to be read."""
        asked = (
            select(items.c.record)
            .join(tasks, items.c.task == tasks.c.id)
            .where(tasks.c.name == "reading", items.c.removed.is_(False))
            .order_by(items.c.id)
        )
        return [row.record["turns"][0]["text"] for row in self.connection.execute(asked)]

    def check(self) -> None:
        """All counts are as they are when they are made anew."""
        before = self._counts()
        for row in self.connection.execute(select(tasks.c.id)).all():
            mine = select(items.c.id).where(items.c.task == row.id)
            with self.connection.begin_nested() as tried:
                recount(self.connection, self.connection.scalars(mine).all())
                assert self._counts() == before
                tried.rollback()

    def _counts(self) -> list[tuple[Any, ...]]:
        i = items.c
        counts = select(i.id, i.taken, i.done, i.skipped, i.open).order_by(i.id)
        return [tuple(row) for row in self.connection.execute(counts)]


@contextmanager
def office_in(folder: Path, engine: Engine) -> Iterator[Office]:
    """An office in an empty database."""
    writing = make_task(
        folder, "write", [BRIEF], name="writing", settings={"least": 2}, raters_per_item=2
    )
    reading = make_task(folder, "proofread", name="reading", settings={"of": "writing"})
    with engine.connect() as connection, connection.begin() as begun:
        for number, name in enumerate(("anna", "ben", "lea", "cara"), start=1):
            lead = {"role": "admin", "password": "kept"} if name == "lea" else {"role": "rater"}
            connection.execute(
                insert(people).values(id=number, name=name, disabled=False, created=0.0, **lead)
            )
        sync_project(connection, Project(folder, "t", "", (writing, reading)), 0.0)
        yield Office(connection, writing, reading)
        begun.rollback()
