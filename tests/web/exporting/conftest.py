"""A task in a database that two people work on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import Postgres
from tests.web.blank import with_tables
from tests.web.queue.rounds import Round, add_people, conversations, task_in

from assize.web._storage import Store, open_store

IDS = [f"c{n}" for n in range(4)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(with_tables(f"sqlite:///{tmp_path / 'assize.db'}"))
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgres"])
def either_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each kind."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'assize.db'}"
    else:
        server: Postgres = request.getfixturevalue("postgres_server")
        url = server.database()
    found = open_store(with_tables(url))
    yield found
    found.close()


@pytest.fixture
def play(store: Store, tmp_path: Path) -> Iterator[Round]:
    """Four items, two raters each; what is done is committed at the end of the test."""
    conversations(tmp_path, IDS)
    with store.engine.connect() as connection:
        found = Round(connection, task_in(tmp_path), add_people(connection, ("ann", "bob")))
        found.sync()
        yield found
        connection.rollback()
