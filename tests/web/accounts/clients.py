"""The app in this process, and browsers without scripts that visit it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from argon2 import PasswordHasher
from sqlalchemy import Connection, insert, select
from starlette.testclient import TestClient
from tests.web.blank import with_tables

from assize.web._accounts.sessions import begin_session, cookie_name, ensure_local
from assize.web._app import create_app
from assize.web._project import read_project
from assize.web._storage import Store, open_store
from assize.web._storage.schema import people

NOW = 1_700_000_000.0
PASSWORD = "four plain old words"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@dataclass
class Site:
    """The app, its database, and a clock that stands until it is set."""

    store: Store
    app: Any
    url: str
    now: float = NOW
    numbers: dict[str, int] = field(default_factory=dict)

    def visitor(self, name: str | None = None, role: str = "rater") -> TestClient:
        """A browser: of somebody who is signed in, of a stranger without a name."""
        client = TestClient(self.app, base_url=self.url, follow_redirects=False)
        if name is not None:
            token = self.store.write_now(begin_session, self.person(name, role), self.now)
            client.cookies.set(cookie_name(self.url.startswith("https:")), token)
        return client

    def person(self, name: str, role: str = "rater") -> int:
        """The number of somebody, who is made where they are new."""
        if name not in self.numbers:
            self.numbers[name] = self.store.write_now(somebody, name, role, NOW)
        return self.numbers[name]

    def column(self, asked: Any) -> list[Any]:
        """What the database says."""
        with self.store.connect() as connection:
            return list(connection.scalars(asked))


def somebody(connection: Connection, name: str, role: str, now: float) -> int:
    """The number of somebody, who is made where they are new."""
    known = select(people.c.id).where(people.c.name == name)
    if connection.scalars(known).first() is None:
        made = insert(people).values(name=name, role=role, password=password_hash(), created=now)
        connection.execute(made)
    return int(connection.scalars(known).one())


def signed_in(connection: Connection, name: str, role: str, now: float) -> str:
    """The token of a new session of somebody, who is made where they are new."""
    return begin_session(connection, somebody(connection, name, role, now), now)


@cache
def password_hash() -> str:
    """`PASSWORD` as it is kept, hashed once for all tests."""
    return QUICK.hash(PASSWORD)


@contextmanager
def site(folder: Path, *, url: str = "http://testserver", open: bool = False) -> Iterator[Site]:
    """The app of a folder."""
    project = read_project(folder)
    store = open_store(with_tables(project.database))
    found = Site(store, None, url)
    found.app = create_app(project, store, url=url, open=open, clock=lambda: found.now)
    if open:
        store.write_now(ensure_local, NOW)
    yield found
    store.close()


def csrf(page: str) -> str:
    """The token in a page's forms."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None, page
    return found[1]


def send(client: TestClient, path: str, on: str | None = None, **fields: Any) -> Any:
    """Posts a form as a browser does that has opened the page `on`, by default the same path."""
    token = csrf(client.get(path if on is None else on).text)
    return post(client, path, csrf=token, **fields)


def post(client: TestClient, path: str, **fields: Any) -> Any:
    """Posts fields as they stand."""
    return client.post(
        path,
        content=urlencode(fields, doseq=True),
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
