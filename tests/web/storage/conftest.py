from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import Postgres

from assize.web._storage import Store, open_store


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'assize.db'}"
    server: Postgres = request.getfixturevalue("postgres_server")
    return server.database()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    found = open_store(url)
    yield found
    found.close()
