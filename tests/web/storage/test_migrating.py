"""The revisions and the schema say the same, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, inspect, text

from assize.base.errors import DataError
from assize.web._storage import open_store
from assize.web._storage.engine import make_engine
from assize.web._storage.migrating import revisions, upgrade
from assize.web._storage.schema import METADATA


def differences(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))


def revision(engine: Engine) -> str:
    with engine.connect() as connection:
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """Of an empty database of each kind."""
    found = make_engine(url)
    yield found
    found.dispose()


def test_the_revisions_make_what_the_schema_says(engine: Engine) -> None:
    assert differences(engine) != []
    upgrade(engine)
    assert differences(engine) == []
    assert revision(engine) == revisions()[1].get_current_head()


def test_a_newer_database_is_refused_and_left_as_it_is(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('9999')"))
    for _ in range(2):
        with pytest.raises(DataError, match="at revision '9999', which this version"):
            open_store(engine.url.render_as_string(hide_password=False))
    assert inspect(engine).get_table_names() == ["alembic_version"]
    assert revision(engine) == "9999"


def test_a_database_that_is_only_read_must_be_there_and_stays_as_it_is(engine: Engine) -> None:
    with pytest.raises(DataError, match="start assize web once"):
        upgrade(engine, read_only=True)
    assert inspect(engine).get_table_names() == []
    upgrade(engine)
    upgrade(engine, read_only=True)
    assert differences(engine) == []
