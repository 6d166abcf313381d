"""Writes a revision of the web app's database: what `schema.py` has and the revisions do not.

python -m scripts.migration "what changes"
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.runtime.migration import MigrationContext

from assize.web._storage.engine import engine_of
from assize.web._storage.migrating import FOLDER, revisions, upgrade
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


def write(about: str) -> Path:
    """Writes the revision; the first makes all tables."""
    scripts = revisions()[1]
    before = scripts.get_current_head()
    number = f"{len(list(scripts.walk_revisions())) + 1:04}"
    with tempfile.TemporaryDirectory() as folder:
        engine = engine_of(f"sqlite:///{folder}/now.db")
        upgrade(engine)
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"render_as_batch": True})
            made = produce_migrations(context, METADATA)
        engine.dispose()
    steps = made.upgrade_ops
    if steps is None or steps.is_empty():
        raise SystemExit("schema.py holds nothing that the revisions do not")
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
    path = write(" ".join(sys.argv[1:]) or "Changes")
    sys.stdout.write(f"{path}\n")
