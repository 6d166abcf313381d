"""A database with nobody in it, and people to put there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection, Engine, insert

from assize.web._storage.schema import people

NOW = 1_000_000_000.0
DAY = 86400.0

AddPerson = Callable[..., int]


@pytest.fixture
def connection(sqlite_engine: Engine) -> Iterator[Connection]:
    with sqlite_engine.connect() as found:
        yield found


@pytest.fixture
def add(connection: Connection) -> AddPerson:
    """Adds somebody; returns their number."""

    def added(name: str, role: str = "rater", password: str | None = "kept") -> int:
        row = insert(people).values(name=name, role=role, password=password, created=NOW)
        return int(connection.execute(row.returning(people.c.id)).scalar_one())

    return added


@pytest.fixture
def lea(add: AddPerson) -> int:
    """An admin."""
    return add("Lea", "admin")


@pytest.fixture
def ana(add: AddPerson) -> int:
    return add("Ana")
