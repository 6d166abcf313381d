"""From a folder to an app that can be served."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from sqlalchemy import Connection, func, select
from sqlalchemy.engine import make_url

from assize.results.log import log
from assize.web._accounts.invitations import first_link
from assize.web._accounts.sessions import ensure_local
from assize.web._app import create_app
from assize.web._collect.allow_models import asked_lines, check_models
from assize.web._project import Project, read_project, read_settings
from assize.web._queue import check_project, sync_project
from assize.web._queue.passing_on import pass_on
from assize.web._storage import Store, open_store
from assize.web._storage.schema import answers, task_versions, tasks
from assize.web._tasks.definition import Task, parse_task


@dataclass(frozen=True, slots=True)
class Opened:
    """An app that is ready to be served.

    Args:
        greeting: what whoever started it must know, a line each.
    """

    asgi: FastAPI
    project: Project
    store: Store
    greeting: tuple[str, ...]

    @property
    def database(self) -> str:
        """Its URL, without the password."""
        return make_url(self.project.database).render_as_string(hide_password=True)


@contextmanager
def opened_store(
    folder: str | Path, *, database: str | None = None
) -> Iterator[tuple[Project, Store]]:
    """A project and its store, with the tasks as their files are now."""
    project = read_project(folder, database=database)
    with closing(open_store(project.database)) as store:
        for told in store.read_now(check_project, project):
            log.warning("%s", told)
        store.write_now(sync_project, project, time.time())
        store.write_now(pass_on, project.tasks)
        yield project, store


def database_of(folder: str | Path, database: str | None) -> str:
    """Return the URL of a project's database, or the one given."""
    return read_settings(folder, database=database).database


def stored_tasks(connection: Connection, folder: Path) -> list[Task]:
    """Return all tasks as the database has them, whatever became of their files."""
    v = task_versions.c
    rows = connection.execute(
        select(tasks.c.name, v.source, v.texts)
        .join(tasks, (tasks.c.id == v.task) & (tasks.c.version == v.number))
        .order_by(tasks.c.name)
    )
    return [parse_task(row.source, f"task {row.name}", folder, row.texts) for row in rows]


@contextmanager
def opened(
    folder: str | Path,
    *,
    database: str | None = None,
    url: str = "",
    open: bool = False,
    clock: Callable[[], float] = time.time,
    allow: Collection[str] = (),
) -> Iterator[Opened]:
    """The app of a folder; its store is closed at the end.

    Raises:
        ConfigError: a task names a model that `allow` does not hold.
    """
    with opened_store(folder, database=database) as (project, store):
        check_models(project.tasks, allow)
        greeting = [f"{project.title}: {url}/", *asked_lines(project.tasks)]
        if open:
            store.write_now(ensure_local, clock())
        else:
            token = store.write_now(first_link, clock())
            if token is not None:
                greeting.append(f"the first admin signs up at {url}/invitation/{token}")
        if not project.tasks:
            greeting.append(f"there is no task yet; write one into {project.folder / 'tasks'}")
        app = create_app(project, store, url=url, open=open, clock=clock, allow=allow)
        yield Opened(app, project, store, tuple(greeting))


def answered_since(connection: Connection, began: float) -> int:
    """Forms that were submitted or skipped since then."""
    asked = select(func.count()).select_from(answers).where(answers.c.at >= began)
    return int(connection.scalar(asked.where(answers.c.event.not_in(("undo", "return")))) or 0)
