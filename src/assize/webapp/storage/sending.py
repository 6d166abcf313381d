"""Several statements that return nothing, without waiting for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.base import Executable

Sent = tuple[Executable, Mapping[str, Any]]


def send(connection: Connection, *statements: Sent) -> None:
    """Executes statements with their values in order; PostgreSQL answers all of them at once."""
    if connection.dialect.name == "postgresql":
        with _at_once(connection):
            _send(connection, statements)
    else:
        _send(connection, statements)


def _send(connection: Connection, statements: Sequence[Sent]) -> None:
    for statement, values in statements:
        connection.execute(statement, values)


@contextmanager
def _at_once(connection: Connection) -> Iterator[None]:
    """psycopg waits at the end of its pipeline; what it says there gets SQLAlchemy's name."""
    postgres: Any = connection.connection.dbapi_connection
    errors: Any = connection.dialect.loaded_dbapi
    try:
        with postgres.pipeline():
            yield
    except errors.Error as error:
        raise DBAPIError.instance(None, None, error, errors.Error) from error
