"""A database with nobody in it, and people to put there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert
from tests.web.blank import with_tables

from assize.web._storage import open_store
from assize.web._storage.schema import people

NOW = 1_000_000_000.0
DAY = 86400.0

AddPerson = Callable[..., int]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    store = open_store(with_tables(f"sqlite:///{tmp_path / 'assize.db'}"))
    with store.connect() as found:
        yield found
    store.close()


@pytest.fixture
def add(connection: Connection) -> AddPerson:
    """Adds somebody; returns their number."""

    def added(name: str, role: str = "rater", password: str | None = "kept") -> int:
        made = connection.execute(
            insert(people).values(
                name=name, role=role, password=password, disabled=False, created=NOW
            )
        ).inserted_primary_key
        assert made is not None
        return int(made[0])

    return added


@pytest.fixture
def lea(add: AddPerson) -> int:
    """An admin."""
    return add("Lea", "admin")


@pytest.fixture
def ana(add: AddPerson) -> int:
    return add("Ana")
