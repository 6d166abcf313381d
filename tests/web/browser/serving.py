"""A project served by a real uvicorn on a free port of this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from sqlalchemy import select
from tests.web.accounts.clients import signed_in
from tests.web.listening import listening

from assize.base.judgment import Judgment
from assize.web._accounts.sessions import COOKIE
from assize.web._collect.allow_models import models_of
from assize.web._exporting.ratings import Part, ratings
from assize.web._project import Project, read_project
from assize.web._storage import Store
from assize.web._storage.schema import answers, assignments, items, people


@dataclass
class Served:
    """A running project."""

    url: str
    project: Project
    store: Store
    tokens: dict[str, str] = field(default_factory=dict)

    def cookie(self, name: str, role: str = "rater") -> dict[str, Any]:
        """The cookie of a person who is signed in; the person is made where there is none."""
        if name not in self.tokens:
            self.tokens[name] = self.store.write_now(signed_in, name, role, time.time())
        return {"name": COOKIE, "value": self.tokens[name], "url": self.url}

    def said(self, name: str) -> dict[str, Any]:
        """By item what a person submitted last; skipped ones have their reason as text."""
        with self.store.connect() as connection:
            rows = connection.execute(
                select(items.c.key, answers.c.answers, answers.c.reason)
                .join(assignments, assignments.c.item == items.c.id)
                .join(people, people.c.id == assignments.c.person)
                .join(
                    answers,
                    (answers.c.assignment == assignments.c.id)
                    & (answers.c.number == assignments.c.revision - 1),
                )
                .where(people.c.name == name, assignments.c.state.in_(("done", "skipped")))
                .order_by(assignments.c.draw)
            )
            return {row.key: row.reason or row.answers for row in rows}

    def judgments(self, task: str) -> list[Judgment]:
        """What people's answers to a task are as records."""
        asked = self.project.task(task)
        assert asked is not None
        with self.store.connect() as connection:
            return list(ratings(connection, asked, get_args(Part)))


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """Serves a project's folder until the block ends; its systems may ask their models."""
    allow = [name for task in read_project(folder).tasks for name in models_of(task)]
    with listening(folder, allow=allow) as (url, app):
        yield Served(url, app.project, app.store)
