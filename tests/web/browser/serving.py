"""A project served by a real uvicorn on a free port of this machine."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import uvicorn
from sqlalchemy import Connection, select
from tests.web.blank import with_tables

from assize.base.judgment import Judgment
from assize.web._accounts.sessions import COOKIE, token_hash
from assize.web._app import create_app
from assize.web._collect.allow_models import models_of
from assize.web._exporting.ratings import Part, ratings
from assize.web._project import Project, read_project
from assize.web._queue import sync_project
from assize.web._storage import Store, open_store
from assize.web._storage.schema import answers, assignments, items, people, sessions


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
            self.tokens[name] = secrets.token_urlsafe(16)
            self.store.write_now(_signed_in, name, role, self.tokens[name])
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


def _signed_in(connection: Connection, name: str, role: str, token: str) -> None:
    now = time.time()
    known = select(people.c.id).where(people.c.name == name)
    if connection.execute(known).first() is None:
        connection.execute(people.insert().values(name=name, role=role, created=now))
    person = connection.execute(known).scalar_one()
    connection.execute(
        sessions.insert().values(
            token=token_hash(token),
            person=person,
            csrf=secrets.token_urlsafe(16),
            created=now,
            expires=now + 86_400,
        )
    )


@contextmanager
def served(folder: Path, *, open: bool = False) -> Iterator[Served]:
    """Serves a project's folder until the block ends."""
    project = read_project(folder)
    store = open_store(with_tables(project.database))
    store.write_now(sync_project, project, time.time())
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    allow = [name for task in project.tasks for name in models_of(task)]
    app = create_app(project, store, url=url, open=open, allow=allow)
    settings = uvicorn.Config(app, log_level="warning")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([listening],), name="web")
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Served(url, project, store)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
        store.close()
