"""A copy that was made while the app writes is whole, and can be put in its place."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from sqlalchemy import Connection, insert, select

from assize.web._storage import open_store
from assize.web._storage.schema import people


def add_pair(connection: Connection, number: int) -> None:
    for name in (f"{number}", f"{number}b"):
        row = {"name": name, "role": "rater", "disabled": False, "created": 0.0}
        connection.execute(insert(people).values(row))


def test_a_backup_of_sqlite_while_it_is_written_holds_whole_writes(tmp_path: Path) -> None:
    file, copy = tmp_path / "assize.db", tmp_path / "copy.db"
    store = open_store(f"sqlite:///{file}")
    store.write_now(add_pair, 0)
    done = threading.Event()

    def write() -> None:
        number = 1
        while not done.is_set() or number < 20:
            store.write_now(add_pair, number)
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    with sqlite3.connect(file) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    done.set()
    writer.join()
    source.close()
    target.close()
    store.close()
    file.unlink()
    for rest in tmp_path.glob("assize.db-*"):
        rest.unlink()
    copy.rename(file)
    again = open_store(f"sqlite:///{file}")
    with again.connect() as connection:
        names = set(connection.scalars(select(people.c.name)))
    again.write_now(add_pair, 10_000)
    again.close()
    assert "0" in names
    assert {f"{name}b" for name in names if not name.endswith("b")} <= names
