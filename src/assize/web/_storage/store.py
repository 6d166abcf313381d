"""A project's database: many read at once, one writes, and what is acknowledged is on disk.

    found = await store.read(function, *arguments)     # function(connection, *arguments)
    made = await store.write(function, *arguments)     # returns once it is durable

Both work in threads, writes in one alone. Those that wait while a commit is under way share the
next one (group commit), each within a savepoint of its own, so that one that fails undoes nothing
of another's. On SQLite `read_quickly` and `write_quickly` promise the same without a thread
(`in_turn`); on PostgreSQL they are `read` and `write`.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from assize.base.errors import ConfigError, DataError
from assize.web._storage.engine import READERS, engine_of, writing
from assize.web._storage.in_turn import Busy, InTurn

P = ParamSpec("P")
T = TypeVar("T")

TOGETHER = 64  # writes that share a commit, at most


@dataclass(frozen=True, slots=True)
class _Write:
    work: Callable[[Connection], Any]
    done: Future[Any]


class Store:
    """The database behind one URL; `open_store` brings its tables up to date first."""

    def __init__(self, url: str) -> None:
        self.engine = engine_of(url)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="assize-read")
        self._waiting: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._writing = threading.Lock()
        sqlite = self.engine.dialect.name == "sqlite"
        self._in_turn = InTurn(self.engine, self._writing) if sqlite else None
        self._writer = threading.Thread(target=self._write_all, name="assize-write", daemon=True)
        self._writer.start()

    async def read(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """What `function(connection, ...)` finds; it must not write."""

        def work() -> T:
            # after a rollback psycopg prepares its statements anew, after a commit it does not
            with self.engine.begin() as connection:
                return function(connection, *args, **named)

        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def write(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """What `function(connection, ...)` returns, once all that it wrote is on disk.

        Raises what the function raises; then nothing of it is written.
        """
        return await asyncio.wrap_future(self._submit(lambda one: function(one, *args, **named)))

    async def read_quickly(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """As `read`, for one look by a key, which takes less than going to a thread and back."""
        if self._in_turn is not None:
            found = await self._in_turn.read(lambda one: function(one, *args, **named))
            if not isinstance(found, Busy):
                return found
        return await self.read(function, *args, **named)

    async def write_quickly(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """As `write`, for a few milliseconds' work that may be begun twice: a step of a rater."""
        if self._in_turn is not None:
            found = await self._in_turn.write(lambda one: function(one, *args, **named))
            if not isinstance(found, Busy):
                return found
        return await self.write(function, *args, **named)

    def write_now(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """As `write`, for code outside an event loop."""
        return self._submit(lambda one: function(one, *args, **named)).result()

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """A connection to read with, for code outside an event loop."""
        with self.engine.connect() as connection:
            yield connection

    def close(self) -> None:
        """Writes what waits, and lets go of the database."""
        if self._writer.is_alive():
            self._waiting.put(None)
            self._writer.join()
        if self._in_turn is not None:
            self._in_turn.close()
        self._readers.shutdown()
        self.engine.dispose()

    def _submit(self, work: Callable[[Connection], T]) -> Future[T]:
        if not self._writer.is_alive():
            raise ConfigError("the store is closed")
        done: Future[T] = Future()
        self._waiting.put(_Write(work, done))
        return done

    def _write_all(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch, last = [first], False
            while len(batch) < TOGETHER and not self._waiting.empty():
                one = self._waiting.get()
                if one is None:
                    last = True
                    break
                batch.append(one)
            self._commit(batch)
            if last:
                return

    def _commit(self, batch: list[_Write]) -> None:
        told: list[tuple[_Write, Any, BaseException | None]] = []
        try:
            with self._writing, writing(self.engine) as connection, connection.begin():
                for one in batch:
                    told.append((one, *_attempt(connection, one, shared=len(batch) > 1)))
        except Exception as error:
            for one in batch:
                if one.done.running() or one.done.set_running_or_notify_cancel():
                    one.done.set_exception(error)
            return
        for one, result, problem in told:
            if one.done.cancelled():  # whoever asked has gone; the writer goes on
                continue
            if problem is None:
                one.done.set_result(result)
            else:
                one.done.set_exception(problem)


def _attempt(
    connection: Connection, one: _Write, *, shared: bool
) -> tuple[Any, BaseException | None]:
    if not one.done.set_running_or_notify_cancel():
        return None, None
    if not shared:  # where it fails, the commit is undone
        return one.work(connection), None
    savepoint = connection.begin_nested()
    try:
        result = one.work(connection)
    except Exception as error:
        savepoint.rollback()
        return None, error
    savepoint.commit()
    return result, None


def open_store(url: str) -> Store:
    """The store behind a URL, its tables made or brought up to date.

    Raises:
        ConfigError: the URL names no database, or it cannot be reached.
        DataError: the database was made by a newer version of assize.
    """
    from assize.web._storage.migrating import upgrade

    store = Store(url)
    try:
        upgrade(store.engine)
    except DataError:
        store.close()
        raise
    except SQLAlchemyError as error:
        store.close()
        shown = make_url(url).render_as_string(hide_password=True)
        raise ConfigError(f"cannot open the database {shown}: {_first(error)}") from error
    return store


def _first(error: SQLAlchemyError) -> str:
    said = cast("BaseException", getattr(error, "orig", None) or error)
    return str(said).splitlines()[0] if str(said) else type(said).__name__
