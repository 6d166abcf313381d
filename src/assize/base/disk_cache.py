"""Values by key on disk: one SQLite file that concurrent processes share.

A write is one transaction, so that a process killed at any moment leaves whole entries only. Each
entry has a checksum over key and value, so that a damaged one is missing and never another value.
What was not used for longest goes when there is more than the cap allows.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from assize.base.errors import ConfigError

FOLDER_VARIABLE = "ASSIZE_CACHE_DIR"

_DAY = 86_400
_EVICT_EVERY = 500  # writes between looks at the size
_EVICT_AFTER = 64 << 20  # or so many bytes written
_ROOM = 0.9  # an eviction goes down to this share of the cap
_TOUCHED = 10_000  # uses noted before they are written
_AT_ONCE = 500  # keys in one question to the file
_NO_TEXT = "its bytes are damaged"


def cache_folder() -> Path:
    """`ASSIZE_CACHE_DIR`, else `assize` in the user's cache folder; it need not exist."""
    given = os.environ.get(FOLDER_VARIABLE)
    if given:
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "assize"


def bytes_allowed(variable: str, default: int) -> int:
    """The cap that an environment variable names."""
    given = os.environ.get(variable)
    if given is None:
        return default
    if not given.isdigit():
        raise ConfigError(f"{variable} is {given!r}; give a number of bytes")
    return int(given)


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What a cache holds: `bytes` on disk, `oldest` use in seconds since 1970."""

    path: Path
    entries: int
    bytes: int
    max_bytes: int
    oldest: int | None


@dataclass(slots=True)
class _Connections:
    """One process's: reading does not wait for a write that is being synced."""

    process: int
    reading: sqlite3.Connection
    writing: sqlite3.Connection
    lock: RLock


class DiskCache:
    """A table of keys and values; usable from several threads, and after a fork.

    The SQLite file is readable by its owner only. `durable` survives a power cut too, and costs a
    sync; `more` is further tables, as SQL. Values are all `str` or all `bytes`.

    Raises:
        ConfigError: the file cannot be opened, or is damaged so that it cannot be counted or
            cleared.
        sqlite3.Error: it cannot be read (`get`) or written (`put`), being damaged, on a full
            disk, or locked for a minute.
    """

    def __init__(
        self,
        path: Path,
        *,
        table: str,
        column: str,
        max_bytes: int,
        durable: bool,
        more: str = "",
    ) -> None:
        self.path = path
        self.max_bytes = max_bytes
        self._table, self._column, self._durable = table, column, durable
        self._select = f"SELECT key, {column}, checksum, used FROM {table} WHERE key IN"  # noqa: S608
        self._touched: list[bytes] = []
        self._written = 0
        self._writes = 0
        self._create(more)
        with self.usable():
            self._open = self._opened()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Any]:
        """The values of those keys that are there, undamaged."""
        found: dict[bytes, Any] = {}
        stale = time.time() - _DAY
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            for key, value, checksum, used in self.read(f"{self._select} ({marks})", *some):
                if checksum is None or checksum != checksum_of(key, value):
                    continue
                found[key] = value
                if not isinstance(used, int) or used < stale:
                    self._touched.append(key)
        if len(self._touched) > _TOUCHED:
            self.put([])
        return found

    def put(self, entries: Iterable[tuple[bytes, Any]]) -> None:
        """Stores values in one transaction; returns once it is committed."""
        now = int(time.time())
        rows = [(key, now, value, checksum_of(key, value)) for key, value in entries]
        with self.transaction() as connection:
            sql = f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?)"  # noqa: S608
            connection.executemany(sql, rows)
            self._touch(connection, now)
            self._written += sum(len(value) for _, _, value, _ in rows)
            if self._writes % _EVICT_EVERY == 0 or self._written > _EVICT_AFTER:
                self._evict(connection)
                self._written = 0
            self._writes += 1

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection with one transaction, which is committed at the end."""
        here = self._connections()
        with here.lock, _sqlite_errors():
            here.writing.execute("BEGIN IMMEDIATE")
            try:
                yield here.writing
                here.writing.execute("COMMIT")
            except BaseException:
                if here.writing.in_transaction:  # some errors have ended it
                    here.writing.execute("ROLLBACK")
                raise

    def read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        try:
            return self._connections().reading.execute(sql, values).fetchall()
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(_NO_TEXT) from error

    def info(self) -> CacheInfo:
        """How much is stored."""
        count = f"SELECT count(*) FROM {self._table}"  # noqa: S608
        first = f"SELECT min(used) FROM {self._table} WHERE used BETWEEN 0 AND ?"  # noqa: S608
        with self.usable():
            ((entries,),) = self.read(count)
            ((oldest,),) = self.read(first, int(time.time()) + _DAY)
            held = _bytes(self._connections().reading)
        return CacheInfo(self.path, entries, held, self.max_bytes, oldest)

    def clear(self, *, unused_days: float | None = None) -> int:
        """Removes everything, or what was not used for so many days; returns how much."""
        before = int(time.time() + 1 if unused_days is None else time.time() - unused_days * _DAY)
        with self.usable():
            with self.transaction() as connection:
                sql = f"DELETE FROM {self._table} WHERE used <= ?"  # noqa: S608
                gone = connection.execute(sql, (before,)).rowcount
            self._connections().writing.execute("VACUUM")
        return int(gone)

    def close(self) -> None:
        """Notes what was used, and closes the file."""
        if self._touched:
            with suppress(sqlite3.Error):  # what is lost is when they were used
                self.put([])
        here = self._connections()
        here.reading.close()
        here.writing.close()

    def _create(self, more: str) -> None:
        tables = f"""
            CREATE TABLE IF NOT EXISTS {self._table} (
                key BLOB PRIMARY KEY, used INTEGER NOT NULL, {self._column} NOT NULL,
                checksum INTEGER
            );
            CREATE INDEX IF NOT EXISTS {self._table}_used ON {self._table} (used);
            {more}
        """
        with self.usable():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = self._connect()
            try:
                connection.executescript(tables)
            finally:
                connection.close()

    @contextmanager
    def usable(self) -> Iterator[None]:
        """Inside, what is wrong with the file is a ConfigError that says what to do."""
        try:
            with _sqlite_errors():
                yield
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(
                f"the cache {self.path} cannot be used ({error}); mend or remove it,"
                f" name another folder in {FOLDER_VARIABLE}, or pass --no-cache"
            ) from error

    def _connections(self) -> _Connections:
        """This process's: SQLite's connections must not be carried over a fork."""
        if self._open.process != os.getpid():
            self._open = self._opened()
        return self._open

    def _opened(self) -> _Connections:
        reading = self._connect()
        try:
            return _Connections(os.getpid(), reading, self._connect(), RLock())
        except BaseException:
            reading.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=60, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
            connection.execute("PRAGMA cache_size = -65536")
        except BaseException:
            connection.close()
            raise
        return connection

    def _touch(self, connection: sqlite3.Connection, now: int) -> None:
        touched, self._touched = self._touched, []
        sql = f"UPDATE {self._table} SET used = ? WHERE key = ?"  # noqa: S608
        connection.executemany(sql, [(now, key) for key in touched])

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Drops what was not used for longest, down to the cap and some room."""
        held = _bytes(connection)
        if held <= self.max_bytes:
            return
        ((entries,),) = connection.execute(f"SELECT count(*) FROM {self._table}")  # noqa: S608
        surplus = int(entries * (1 - _ROOM * self.max_bytes / held)) + 1
        oldest = f"SELECT rowid FROM {self._table} ORDER BY used LIMIT ?"  # noqa: S608
        connection.execute(f"DELETE FROM {self._table} WHERE rowid IN ({oldest})", (surplus,))  # noqa: S608


@contextmanager
def _sqlite_errors() -> Iterator[None]:
    """SQLite's message can quote damaged bytes, which Python then fails to read as text."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise sqlite3.DatabaseError(_NO_TEXT) from error


def checksum_of(key: Any, value: Any) -> int | None:
    """32 bits over a key and a value; None for what is no key or value.

    >>> checksum_of(b"k", "v") == checksum_of(b"k", b"v")
    False
    """
    if not isinstance(key, bytes) or not isinstance(value, str | bytes):
        return None
    data = value.encode() if isinstance(value, str) else value
    return zlib.crc32(data, zlib.crc32(key, int(isinstance(value, str))))


def _bytes(connection: sqlite3.Connection) -> int:
    """Bytes in use; pages that were freed are used again and do not count."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
