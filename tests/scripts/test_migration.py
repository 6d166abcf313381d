"""A revision is what a database of the last release lacks, and brings it up to date."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import insert, select, text

from assize.web._storage import migrating
from assize.web._storage.engine import make_engine
from assize.web._storage.schema import METADATA, people
from scripts import migration


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database that lacks a table and a column, and a copy of the revisions to write into."""
    url = f"sqlite:///{tmp_path / 'old.db'}"
    folder = tmp_path / "migrations"
    shutil.copytree(migrating.FOLDER, folder)
    for module in (migrating, migration):
        monkeypatch.setattr(module, "FOLDER", folder)
    engine = make_engine(url)
    migrating.upgrade(engine)
    with engine.begin() as connection:
        connection.execute(
            insert(people).values(name="ann", role="rater", disabled=False, created=0.0)
        )
        connection.execute(text("DROP TABLE qualifications"))
        connection.execute(text("ALTER TABLE task_versions DROP COLUMN texts"))
    engine.dispose()
    return url


def test_the_revision_that_is_written_brings_the_old_database_up_to_date(old: str) -> None:
    path = migration.write(old, "texts of tasks.")
    assert path.name == "r0002.py"
    assert path.read_text(encoding="utf-8").startswith('"""Texts of tasks."""')
    engine = make_engine(old)
    migrating.upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        assert list(connection.scalars(select(people.c.name))) == ["ann"]
    engine.dispose()


def test_a_database_that_lacks_nothing_makes_no_revision(old: str) -> None:
    migration.write(old, "texts of tasks")
    engine = make_engine(old)
    migrating.upgrade(engine)
    engine.dispose()
    with pytest.raises(SystemExit, match="nothing that the database lacks"):
        migration.write(old, "again")
