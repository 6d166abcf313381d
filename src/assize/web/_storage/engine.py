"""Database engines: SQLite or PostgreSQL, chosen by the URL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from assize.base.errors import ConfigError, MissingExtra

WRITES = "assize_writes"
"""Execution option of a connection that writes: it can "wait" for its turn, or only "try"."""

POOL_SIZE = 12
BUSY_TIMEOUT = 30_000  # milliseconds to wait while somebody else writes to a SQLite file
_WRITE_LOCK = 20260  # PostgreSQL advisory lock of the transaction that writes
_ALLOWED = "give sqlite:///FILE or postgresql://USER@HOST/NAME"


def make_engine(url: str) -> Engine:
    """Make an engine in which at most one transaction writes at a time.

    SQLite runs with a write-ahead log and `synchronous=FULL`: a commit returns when it is on disk.

    Raises:
        ConfigError: the URL is not of SQLite or PostgreSQL.
        MissingExtra: the PostgreSQL driver is not installed.
    """
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise ConfigError(f"{url!r} is no database URL; {_ALLOWED}") from error
    backend = address.get_backend_name()
    if backend == "sqlite":
        return _sqlite_engine(address)
    if backend == "postgresql":
        return _postgres_engine(address)
    raise ConfigError(f"no database {backend!r}; {_ALLOWED}")


def _sqlite_engine(address: URL) -> Engine:
    arguments = {"check_same_thread": False, "cached_statements": 512}
    engine = create_engine(
        address, poolclass=QueuePool, pool_size=POOL_SIZE, connect_args=arguments
    )
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _postgres_engine(address: URL) -> Engine:
    if "+" not in address.drivername:
        address = address.set(drivername="postgresql+psycopg")
    try:
        engine = create_engine(address, pool_size=POOL_SIZE, pool_pre_ping=True)
    except (ImportError, NoSuchModuleError) as error:
        raise MissingExtra("PostgreSQL", extra="postgres", missing="psycopg") from error
    event.listen(engine, "begin", _begin_postgres)
    return engine


def _set_pragmas(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver must not begin transactions of its own
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-65536"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    how = connection.get_execution_options().get(WRITES)
    timeout = 0 if how == "try" else BUSY_TIMEOUT
    file = connection.connection.driver_connection
    assert file is not None
    file.execute(f"PRAGMA busy_timeout={timeout}")
    connection.exec_driver_sql("BEGIN" if how is None else "BEGIN IMMEDIATE")


def _begin_postgres(connection: Connection) -> None:
    if connection.get_execution_options().get(WRITES):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITE_LOCK})")
