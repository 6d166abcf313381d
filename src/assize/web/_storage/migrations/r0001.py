"""The tables of `schema.py` as they were first released."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing: a new database gets its tables from `schema.py`."""
