"""Bringing a database up to date, by the revisions in `migrations/`.

To change the schema: change `schema.py`, run `python -m scripts.migration "what changes"`, and
read the revision that it writes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from assize.base.errors import DataError
from assize.web._storage.schema import METADATA

FOLDER = Path(__file__).with_name("migrations")


def revisions() -> tuple[Config, ScriptDirectory]:
    """Alembic's settings and the revisions that this version knows."""
    settings = Config()
    settings.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    settings.set_main_option("version_locations", str(FOLDER).replace("%", "%%"))
    settings.set_main_option("path_separator", "newline")
    return settings, ScriptDirectory.from_config(settings)


def upgrade(engine: Engine) -> None:
    """Makes the tables, or changes them to what this version needs; nothing that is kept is lost.

    Raises:
        DataError: the database was made by a newer version.
    """
    settings, scripts = revisions()
    with engine.connect() as connection:
        now = MigrationContext.configure(connection).get_current_revision()
    if now is not None and now not in {one.revision for one in scripts.walk_revisions()}:
        raise DataError(
            f"the database is at revision {now!r}, which this version of assize does not know; use"
            " the version that wrote it, or a newer one"
        )
    if now == scripts.get_current_head():
        return
    with engine.begin() as connection:
        _run(settings, scripts, connection, lambda rev, _: scripts._upgrade_revs("head", rev))


def _run(
    settings: Config,
    scripts: ScriptDirectory,
    connection: Connection,
    steps: Callable[[Any, MigrationContext], Any],
) -> None:
    with EnvironmentContext(settings, scripts, fn=steps) as environment:
        environment.configure(
            connection=connection,
            target_metadata=METADATA,
            render_as_batch=True,
            transactional_ddl=True,
        )
        environment.run_migrations()


def differences(engine: Engine) -> list[Any]:
    """In what the database's tables differ from `schema.py`, as Alembic says it; [] is as it must
    be."""
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))
