"""A project's database: many connections read, one transaction writes at a time.

    row = await store.read(function, *arguments)     # calls function(connection, *arguments)
    made = await store.write(function, *arguments)   # returns once the change is on disk

A function that writes is alone, in this process and among others. It can read, decide and write
without locks of its own.

Writes take a few milliseconds and run in the event loop: a thread would compete with the loop for
the interpreter, and both would wait longer than they work. Writes that wait share a commit, each
in a savepoint of its own. A thread takes over where somebody else writes, and for PostgreSQL,
whose answers take time. Long work uses `write_now` in a thread.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from assize.base.errors import ConfigError, DataError
from assize.web._storage.engine import WRITES, make_engine

P = ParamSpec("P")
T = TypeVar("T")
Write = tuple[Callable[[Connection], Any], Future[Any]]
READERS = 8  # threads that read
BATCH = 16  # writes that share a commit, at most: the event loop does nothing else meanwhile


class Store:
    """The database behind a URL; `open_store` also brings its tables up to date."""

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="assize-read")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="assize-write")
        self._waiting: SimpleQueue[Write] = SimpleQueue()
        self._closed = False

    async def read(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return `function(connection, ...)`, which must not write."""
        work = partial(self.read_now, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def write(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return `function(connection, ...)` once its changes are on disk.

        Where the function raises, none of its changes is kept.
        """
        if self._closed:
            raise ConfigError("the store is closed")
        done: Future[T] = Future()
        self._waiting.put((lambda connection: function(connection, *args, **kwargs), done))
        asyncio.get_running_loop().call_soon(self._write_waiting)
        return await asyncio.wrap_future(done)

    def read_now(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`read` at once, for threads and for a single look by a key."""
        with self.connect() as connection:
            return function(connection, *args, **kwargs)

    def write_now(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`write` for code outside an event loop."""
        with _writing(self.engine, "wait").begin() as connection:
            return function(connection, *args, **kwargs)

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Open a connection to read with."""
        with self.engine.connect() as connection:
            yield connection

    def close(self) -> None:
        """Finish pending work and close all connections."""
        self._closed = True
        self._writer.shutdown()
        self._readers.shutdown()
        self.engine.dispose()

    def _write_waiting(self) -> None:
        batch = [write for write in self._batch() if write[1].set_running_or_notify_cancel()]
        if not batch:  # an earlier call, for another write, took them along
            return
        if self.engine.dialect.name == "postgresql":  # its answers take time
            self._writer.submit(self._write_patiently, batch)
            return
        try:
            _commit(_writing(self.engine, "try"), batch)
        except SQLAlchemyError:  # somebody else writes, or the connection broke
            self._writer.submit(self._write_patiently, batch)

    def _batch(self) -> Iterator[Write]:
        """Take the writes that wait; event loops of several threads may do so at once."""
        for _ in range(BATCH):
            try:
                yield self._waiting.get_nowait()
            except Empty:
                return

    def _write_patiently(self, batch: list[Write]) -> None:
        try:
            _commit(_writing(self.engine, "wait"), batch)
        except Exception as error:
            for _, done in batch:
                done.set_exception(error)


def _writing(engine: Engine, how: str) -> Engine:
    """Return the engine whose transactions write; "try" fails where somebody else writes."""
    return engine.execution_options(**{WRITES: how})


def _commit(engine: Engine, batch: list[Write]) -> None:
    """Run functions in one transaction, and tell each what came of it."""
    with engine.begin() as connection:
        results = [_attempt(connection, work, alone=len(batch) == 1) for work, _ in batch]
    for (_, done), result in zip(batch, results, strict=True):
        if isinstance(result, Exception):
            done.set_exception(result)
        else:
            done.set_result(result)


def _attempt(connection: Connection, work: Callable[[Connection], Any], *, alone: bool) -> Any:
    """Return what a function returns, or the error with which it failed, its changes undone.

    A savepoint, a tenth of a write, is set unless the function is `alone` in the transaction.
    """
    try:
        with nullcontext() if alone else connection.begin_nested():
            return work(connection)
    except Exception as error:
        if alone:
            connection.rollback()
        return error


def open_store(url: str, *, read_only: bool = False) -> Store:
    """Open the database behind a URL, its tables made or brought up to date.

    Args:
        read_only: it is left as it is, and must be there and of this version.

    Raises:
        ConfigError: the URL names no database, or the database cannot be reached.
        DataError: a newer version of assize made the database.
    """
    from assize.web._storage.migrating import upgrade

    store = Store(url)
    file = store.engine.url.database
    if read_only and store.engine.dialect.name == "sqlite" and not os.path.isfile(file or ""):
        raise ConfigError(f"there is no database {file!r} yet; start assize web once")
    try:
        upgrade(store.engine, read_only=read_only)
    except DataError:
        store.close()
        raise
    except SQLAlchemyError as error:
        store.close()
        shown = make_url(url).render_as_string(hide_password=True)
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise ConfigError(f"cannot open the database {shown}: {reason}") from error
    return store
