"""Databases for the tests of the web app: one PostgreSQL, one of SQLite, emptied for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import browser
from postgres import Postgres, postgres_server
from sqlalchemy import Engine
from tests.web.accounts.clients import QUICK, Site, site
from tests.web.blank import with_tables
from tests.web.queue.rounds import Round, emptied, round_of

from assize.web._accounts import passwords
from assize.web._storage import Store, open_store

__all__ = ["browser", "postgres_server"]


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a new database of each kind, without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'assize.db'}"
    server: Postgres = request.getfixturevalue("postgres_server")
    return server.database()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database of SQLite in the test's folder."""
    found = open_store(with_tables(f"sqlite:///{tmp_path / 'assize.db'}"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def sqlite_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    found = open_store(f"sqlite:///{tmp_path_factory.mktemp('shared')}/assize.db")
    yield found
    found.close()


@pytest.fixture(scope="session")
def postgres_store(postgres_server: Postgres) -> Iterator[Store]:
    found = open_store(postgres_server.database())
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgres"])
def either_store(request: pytest.FixtureRequest) -> Store:
    """An empty database of each kind."""
    found: Store = request.getfixturevalue(f"{request.param}_store")
    emptied(found.engine)
    return found


@pytest.fixture
def sqlite_engine(sqlite_store: Store) -> Engine:
    """Of an empty database."""
    emptied(sqlite_store.engine)
    return sqlite_store.engine


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Site]:
    """The app of an empty folder."""
    with site(tmp_path) as found:
        yield found


@pytest.fixture
def play(sqlite_engine: Engine, tmp_path: Path) -> Iterator[Round]:
    """Ten items, two raters each, three people."""
    with round_of(sqlite_engine, tmp_path) as found:
        yield found


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are marked `anyio` run in an event loop as the app has it."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _quick_passwords(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2 as weak as it can be, but where it is tested."""
    if request.path.name != "test_passwords.py":
        for function in (passwords.hashed, passwords.matches, passwords.outdated):
            monkeypatch.setattr(function, "__defaults__", (QUICK,))
