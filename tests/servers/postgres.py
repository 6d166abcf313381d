"""A real PostgreSQL on this machine: a cluster in a temporary folder, at a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

_NEWEST = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: one.parent.name)
_PATIENCE = 30.0  # seconds until it must answer


class NoPostgres(Exception):
    """This machine cannot run PostgreSQL; the message says why."""


@dataclass
class Postgres:
    """A cluster that runs.

    Args:
        port: at 127.0.0.1; the user is `postgres` and has no password.
        process: the server; its children end with it.
    """

    folder: Path
    port: int
    process: subprocess.Popen[bytes]
    _names: Iterator[int] = field(default_factory=count)

    def database(self, *, socket: bool = False) -> str:
        """The URL of a new, empty database, over TCP or its socket in the file system."""
        name = f"d{next(self._names)}"
        with psycopg.connect(self._at("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        if socket:
            return f"postgresql://postgres@/{name}?host={self.folder}&port={self.port}"
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def kill(self) -> None:
        """Ends it as a power cut would: SIGKILL for the server and all its children."""
        for one in (self.process.pid, *self._children()):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self.process.wait()
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def _children(self) -> list[int]:
        """Its processes, each of which leads a group of its own."""
        found = []
        for place in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(place.read_text().rpartition(")")[2].split()[1]) == self.process.pid:
                    found.append(int(place.parent.name))
        return found

    def restart(self) -> None:
        """Starts it again at the same port, after `kill`."""
        self.process = _started(self.folder, self.port)
        _wait(self)

    def _at(self, name: str) -> str:
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={name} connect_timeout=5"


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """Starts a cluster; it and its folder are gone at the end.

    Args:
        durable: whether commits wait for the disk, as they do outside of tests.

    Raises:
        NoPostgres: there are no binaries, or we are root and there is no user `postgres`.
    """
    programs = binaries()
    folder = Path(tempfile.mkdtemp(prefix="assize-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    try:
        made = subprocess.run(
            [
                programs / "initdb",
                "-D",
                folder / "data",
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync",
            ],
            capture_output=True,
            text=True,
            cwd=folder,
            **_as_postgres(),
        )
        if made.returncode != 0:
            raise NoPostgres(f"initdb failed: {made.stderr.strip().splitlines()[-1]}")
        if not durable:
            with (folder / "data" / "postgresql.conf").open("a", encoding="utf-8") as stream:
                stream.write("fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n")
        port = _free_port()
        found = Postgres(folder, port, _started(folder, port))
        try:
            _wait(found)
            yield found
        finally:
            if found.process.poll() is None:
                found.process.send_signal(signal.SIGQUIT)
                found.process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """One for all tests of a run; skips, with the reason, where it cannot be."""
    try:
        with postgres() as found:
            yield found
    except NoPostgres as error:
        pytest.skip(str(error))


def binaries() -> Path:
    """The folder of PostgreSQL's programs; raises NoPostgres where it cannot run."""
    on_path = shutil.which("initdb")
    found = Path(on_path).resolve().parent if on_path else next(reversed(_NEWEST), None)
    if found is None or not (found / "postgres").exists():
        raise NoPostgres("there are no binaries of PostgreSQL on this machine")
    if os.geteuid() == 0:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            raise NoPostgres(
                "PostgreSQL does not run as root, and there is no user `postgres`"
            ) from None
    return found


def _as_postgres() -> dict[str, Any]:
    return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


def _started(folder: Path, port: int) -> subprocess.Popen[bytes]:
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            [
                binaries() / "postgres",
                "-D",
                folder / "data",
                "-p",
                str(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                f"unix_socket_directories={folder}",
            ],
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
            **_as_postgres(),
        )


def _wait(found: Postgres) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            psycopg.connect(found._at("postgres")).close()
            return
        except psycopg.OperationalError as error:
            if found.process.poll() is not None or time.monotonic() > end:
                said = (found.folder / "log").read_text(encoding="utf-8", errors="replace")
                raise NoPostgres(f"PostgreSQL did not start: {said[-500:]}") from error
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
