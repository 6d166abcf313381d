"""A copy that was made while the app writes is whole, and can be put in its place."""

from __future__ import annotations

import sqlite3
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from postgres import Postgres, binaries
from sqlalchemy import Connection
from tests.web.storage.test_store import add, names

from assize.web._storage import open_store


def add_pair(connection: Connection, number: int) -> None:
    for name in (f"{number}", f"{number}b"):
        add(connection, name)


def back_up_while_written(url: str, back_up: Callable[[], None]) -> None:
    """Makes a copy of a database that a thread adds pairs of people to."""
    store = open_store(url)
    store.write_now(add_pair, 0)
    done = threading.Event()

    def write() -> None:
        number = 1
        while not done.is_set() or number < 20:
            store.write_now(add_pair, number)
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        back_up()
    finally:
        done.set()
        writer.join()
        store.close()


def check_restored(url: str) -> None:
    """The copy holds whole writes, and can be written on."""
    again = open_store(url)
    there = set(again.read_now(names))
    again.write_now(add_pair, 10_000)
    again.close()
    assert "0" in there
    assert {f"{name}b" for name in there if not name.endswith("b")} <= there


def test_a_backup_of_sqlite_while_it_is_written_holds_whole_writes(tmp_path: Path) -> None:
    file, copy = tmp_path / "assize.db", tmp_path / "copy.db"

    def back_up() -> None:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)

    back_up_while_written(f"sqlite:///{file}", back_up)
    file.unlink()
    for rest in tmp_path.glob("assize.db-*"):
        rest.unlink()
    copy.rename(file)
    check_restored(f"sqlite:///{file}")


def test_a_dump_of_postgresql_while_it_is_written_holds_whole_writes(
    tmp_path: Path, postgres_server: Postgres
) -> None:
    url, restored, copy = postgres_server.database(), postgres_server.database(), tmp_path / "copy"

    def run(program: str, database: str, *options: str) -> None:
        command = [str(binaries() / program), "--dbname", database, *options]
        subprocess.run(command, check=True, capture_output=True)

    back_up_while_written(url, lambda: run("pg_dump", url, "--file", str(copy)))
    run("psql", restored, "--file", str(copy), "--set", "ON_ERROR_STOP=1")
    check_restored(restored)
