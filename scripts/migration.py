"""Write a revision of the web app's database: what `schema.py` has and an older database lacks.

python -m scripts.migration sqlite:///OLD.db "what changes"

OLD.db is a project's database as the last release made it; it is only read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.runtime.migration import MigrationContext

from assize.web._storage.engine import make_engine
from assize.web._storage.migrating import FOLDER, revisions
from assize.web._storage.schema import METADATA

PAGE = '''"""{about}."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = {before!r}


def upgrade() -> None:
    """{about}."""
    {up}
'''


def write(database: str, about: str) -> Path:
    """Write the revision that brings a database of the last release up to date."""
    scripts = revisions()[1]
    before = scripts.get_current_head()
    number = f"{len(list(scripts.walk_revisions())) + 1:04}"
    engine = make_engine(database)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"render_as_batch": True})
        made = produce_migrations(context, METADATA)
    engine.dispose()
    steps = made.upgrade_ops
    if steps is None or steps.is_empty():
        raise SystemExit("schema.py holds nothing that the database lacks")
    code = render_python_code(steps, render_as_batch=True)
    for own in ("Json", "Words"):
        code = code.replace(f"assize.web._storage.schema.{own}()", "sa.Text()")
    text = PAGE.format(
        about=about.strip().rstrip(".").capitalize(), revision=number, before=before, up=code
    )
    path = FOLDER / f"r{number}.py"
    path.write_text(text, encoding="utf-8")
    return path


if __name__ == "__main__":
    path = write(sys.argv[1], " ".join(sys.argv[2:]) or "Changes")
    sys.stdout.write(f"{path}\n")
