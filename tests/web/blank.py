"""A database that has its tables already: most tests want one, and making it takes the longest."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from sqlalchemy.engine import make_url

from assize.web._storage import open_store


def with_tables(url: str) -> str:
    """The same URL; where its file of SQLite is not there yet, one without rows is put there."""
    place = make_url(url).database
    if url.startswith("sqlite:///") and place is not None and not Path(place).exists():
        Path(place).write_bytes(_made())
    return url


@cache
def _made() -> bytes:
    """The file of a database with all tables, migrated once for the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "blank.db"
        open_store(f"sqlite:///{place}").close()
        return place.read_bytes()
