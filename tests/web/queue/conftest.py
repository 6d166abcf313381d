"""A task in a database of each kind, people, and a clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import Postgres
from sqlalchemy import Engine
from tests.web.queue.office import Office, office_in
from tests.web.queue.rounds import Round, emptied, round_of

from assize.web._storage.engine import make_engine
from assize.web._storage.migrating import upgrade


@pytest.fixture(scope="session")
def sqlite_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = make_engine(f"sqlite:///{tmp_path_factory.mktemp('queue')}/assize.db")
    upgrade(engine)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def postgres_engine(postgres_server: Postgres) -> Iterator[Engine]:
    engine = make_engine(postgres_server.database())
    upgrade(engine)
    yield engine
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def either(request: pytest.FixtureRequest) -> Engine:
    """An empty database of each kind."""
    engine: Engine = request.getfixturevalue(f"{request.param}_engine")
    emptied(engine)
    return engine


@pytest.fixture
def play(sqlite_engine: Engine, tmp_path: Path) -> Iterator[Round]:
    """Ten items, two raters each, three people."""
    emptied(sqlite_engine)
    with round_of(sqlite_engine, tmp_path) as found:
        yield found


@pytest.fixture
def office(either: Engine, tmp_path: Path) -> Iterator[Office]:
    """Writers and proofreaders, on each database."""
    with office_in(tmp_path, either) as found:
        yield found
