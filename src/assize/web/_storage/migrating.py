"""Create the tables of a new database, or change those of an older one.

To change the schema: change `schema.py`, run `python -m scripts.migration DATABASE "what changes"`
with a database that the last release made, and read the revision that it writes into `migrations/`.
"""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from assize.base.errors import DataError
from assize.web._storage.schema import METADATA

FOLDER = Path(__file__).with_name("migrations")


def revisions() -> tuple[Config, ScriptDirectory]:
    """Return Alembic's settings and the revisions that this version knows."""
    settings = Config()
    for option in ("script_location", "version_locations"):
        settings.set_main_option(option, str(FOLDER).replace("%", "%%"))
    settings.set_main_option("path_separator", "newline")
    return settings, ScriptDirectory.from_config(settings)


def upgrade(engine: Engine, *, read_only: bool = False) -> None:
    """Bring the tables of a database up to date; no rows are lost.

    Args:
        read_only: refuse to change anything.

    Raises:
        DataError: a newer version of assize made the database; or it would be changed, and is
            to be read only.
    """
    settings, scripts = revisions()
    with engine.begin() as connection:
        context = MigrationContext.configure(connection)
        current = context.get_current_revision()
        known = {revision.revision for revision in scripts.walk_revisions()}
        if current == scripts.get_current_head():
            return
        if read_only and (current is None or current in known):
            raise DataError("the database is older, or not there; start assize web once")
        if current is None:
            METADATA.create_all(connection)
            context.stamp(scripts, "head")
            return
        if current not in known:
            raise DataError(
                f"the database is at revision {current!r}, which this version of assize does not"
                " know; use the version that wrote it, or a newer one"
            )
        with EnvironmentContext(
            settings, scripts, fn=lambda revision, _: scripts._upgrade_revs("head", revision)
        ) as environment:
            environment.configure(
                connection=connection,
                target_metadata=METADATA,
                render_as_batch=True,
                transactional_ddl=True,
            )
            environment.run_migrations()
