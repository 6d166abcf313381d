"""SQLite or PostgreSQL behind a URL, and its connections: to read with, to write with."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from assize.base.errors import ConfigError, MissingExtra

READERS = 8
BUSY = 30.0  # seconds that a locked SQLite file is waited for
_ALLOWED = "give sqlite:///FILE or postgresql://USER@HOST/NAME"
_WRITES = "assize_writes"
_ALONE = "SELECT pg_advisory_xact_lock(20260)"  # PostgreSQL's lock on who writes


def engine_of(url: str) -> Engine:
    """An engine for a `sqlite:///FILE` or `postgresql://...` URL.

    SQLite runs with a write-ahead log and `synchronous=FULL`: a commit returns when it is on
    disk.

    Raises:
        ConfigError: the URL is none of these, or the driver of PostgreSQL is missing.
    """
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise ConfigError(f"{url!r} is no database URL; {_ALLOWED}") from error
    name = address.get_backend_name()
    if name == "sqlite":
        engine = create_engine(
            address,
            poolclass=QueuePool,
            pool_size=READERS + 4,
            connect_args={"timeout": BUSY, "check_same_thread": False, "cached_statements": 512},
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    if name != "postgresql":
        raise ConfigError(f"no database {name!r}; {_ALLOWED}")
    if "+" not in address.drivername:
        address = address.set(drivername="postgresql+psycopg")
    try:
        engine = create_engine(
            address, pool_size=READERS + 4, pool_pre_ping=True, pool_use_lifo=True
        )
    except (ImportError, NoSuchModuleError) as error:
        raise MissingExtra("PostgreSQL", extra="postgres", missing="psycopg") from error
    event.listen(engine, "connect", _prepare_postgres)
    event.listen(engine, "begin", _begin_postgres)
    return engine


def writing(engine: Engine) -> Connection:
    """A connection whose transactions are the only ones that write, from their beginning."""
    return engine.connect().execution_options(**{_WRITES: True})


def kept(engine: Engine, *, writes: bool) -> Connection:
    """A connection to SQLite of its own for short work, over and over; it waits for no lock.

    Without `writes` each statement stands alone, without a transaction around it.
    """
    made = writing(engine) if writes else engine.connect()
    if not writes:
        made = made.execution_options(isolation_level="AUTOCOMMIT")
    made.detach()  # closed, not handed to others, at the end
    bare: Any = made.connection.dbapi_connection  # for a transaction to write would wait
    bare.execute("PRAGMA busy_timeout=0")
    return made


def _prepare_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins no transaction of its own
    for line in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-65536"):
        connection.execute(f"PRAGMA {line}")


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(_WRITES) else "BEGIN")


def _prepare_postgres(connection: Any, _: Any) -> None:
    connection.autocommit = True
    connection.execute("SET plan_cache_mode = force_generic_plan")  # planning costs most of a step
    connection.autocommit = False


def _begin_postgres(connection: Connection) -> None:
    if connection.get_execution_options().get(_WRITES):
        connection.exec_driver_sql(_ALONE)
