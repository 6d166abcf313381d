"""The response cache: each answer is paid for once, by whichever process asks first.

SQLite in WAL mode, one file, shared by concurrent processes. The key is a hash of what
the answer depends on; the value is the reply. No key, header or organisation is in it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assize.errors import ConfigError
from assize.models.model import Request
from assize.running.background import Background
from assize.signature import content_hash

FILE = "answers.sqlite"
MAX_BYTES = 8 << 30
SIZE_VARIABLE = "ASSIZE_CACHE_BYTES"
FOLDER_VARIABLE = "ASSIZE_CACHE_DIR"

_FORMAT = 2
_DAY = 86_400
_EVICT_EVERY = 500  # batches between looks at the size
_ROOM = 0.9  # an eviction goes down to this share of the cap

_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY, used INTEGER NOT NULL, reply TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_used ON answers (used);
CREATE TABLE IF NOT EXISTS learnt (model TEXT, fact TEXT, PRIMARY KEY (model, fact));
"""


def folder() -> Path:
    """Where the cache lives: `ASSIZE_CACHE_DIR`, else the user's cache folder."""
    given = os.environ.get(FOLDER_VARIABLE)
    if given:
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "assize"


def key_of(identity: str, request: Request) -> bytes:
    """What an answer depends on, as 32 bytes: the model, messages, parameters, sample.

    The boundary that fences judged text is left out, so that two installations (and
    one whose secret was renewed) share answers to the same question.
    """
    asked = (
        _FORMAT,
        identity,
        request.schema,
        request.temperature,
        request.seed,
        request.max_tokens,
        request.top_logprobs,
        request.choices,
        request.frame,
        request.sample,
    )
    pieces: list[str | bytes] = [json.dumps(asked)]
    for message in request.messages:
        text = (
            message.text if request.boundary is None else message.text.replace(request.boundary, "")
        )
        data = text.encode("utf-8", "surrogatepass")
        pieces += [f"{message.role} {len(data)} ", data]
    return bytes.fromhex(content_hash(*pieces))


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What the cache holds: `bytes` on disk, `oldest` use in seconds since 1970."""

    path: Path
    entries: int
    bytes: int
    max_bytes: int
    oldest: int | None


class Cache:
    """Answers on disk; `put` returns once the answer would survive a power cut.

    Args:
        path: the SQLite file; its folder is made.
        max_bytes: the answers that were not used for longest go when there are more.

    Raises:
        ConfigError: the place cannot be written, or holds something else.
    """

    def __init__(self, path: Path | None = None, *, max_bytes: int | None = None) -> None:
        self.path = folder() / FILE if path is None else path
        self.max_bytes = _max_bytes() if max_bytes is None else max_bytes
        self._reading = self._open()
        self._writing = self._connect()
        self._touched: list[bytes] = []
        self._batches = 0
        self._background: Background[tuple[bytes, str]] = Background(self._write, "assize-cache")

    def get(self, key: bytes) -> str | None:
        """The stored answer, or None."""
        row = self._reading.execute(
            "SELECT reply, used FROM answers WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        if row[1] < time.time() - _DAY:
            self._touched.append(key)
        return str(row[0])

    async def put(self, key: bytes, reply: str) -> None:
        """Stores an answer; returns once it is on disk."""
        await self._background.done((key, reply))

    def put_now(self, entries: Iterable[tuple[bytes, str]]) -> None:
        """Stores answers at once, in one transaction; for collecting batches."""
        with self._connect_for_write() as connection:
            _insert(connection, entries)

    def learnt(self, model: str) -> frozenset[str]:
        """What earlier calls taught about a model, such as a parameter it refuses."""
        rows = self._reading.execute("SELECT fact FROM learnt WHERE model = ?", (model,))
        return frozenset(fact for (fact,) in rows)

    def learn(self, model: str, fact: str) -> None:
        """Remembers a fact about a model for later runs."""
        with self._connect_for_write() as connection:
            connection.execute("INSERT OR IGNORE INTO learnt VALUES (?, ?)", (model, fact))

    def info(self) -> CacheInfo:
        """How much is stored."""
        entries, oldest = self._reading.execute(
            "SELECT count(*), min(used) FROM answers"
        ).fetchone()
        return CacheInfo(self.path, entries, self._bytes(self._reading), self.max_bytes, oldest)

    def clear(self, *, unused_days: float | None = None) -> int:
        """Removes all answers, or those not used for so many days; returns how many."""
        before = int(time.time() + 1 if unused_days is None else time.time() - unused_days * _DAY)
        with self._connect_for_write() as connection:
            gone = connection.execute("DELETE FROM answers WHERE used <= ?", (before,)).rowcount
            if unused_days is None:
                connection.execute("DELETE FROM learnt")
        self._reading.execute("VACUUM")
        return int(gone)

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        self._background.close()
        self._reading.close()
        self._writing.close()

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = self._connect()
            connection.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(
                f"the cache {self.path} cannot be used ({error}); mend or remove it,"
                f" name another folder in {FOLDER_VARIABLE}, or pass --no-cache"
            ) from error
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=60, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cache_size = -65536")
        return connection

    def _connect_for_write(self) -> _Transaction:
        return _Transaction(self._connect())

    def _write(self, batch: list[tuple[bytes, str]]) -> None:
        connection = self._writing
        connection.execute("BEGIN IMMEDIATE")
        try:
            _insert(connection, batch)
            self._touch(connection)
            if self._batches % _EVICT_EVERY == 0:
                self._evict(connection)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        self._batches += 1

    def _touch(self, connection: sqlite3.Connection) -> None:
        touched, self._touched = self._touched, []
        now = int(time.time())
        connection.executemany(
            "UPDATE answers SET used = ? WHERE key = ?", [(now, key) for key in touched]
        )

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Drops the answers that were not used for longest, down to the cap and some room."""
        held = self._bytes(connection)
        if held <= self.max_bytes:
            return
        entries = connection.execute("SELECT count(*) FROM answers").fetchone()[0]
        surplus = 1 - _ROOM * self.max_bytes / held
        connection.execute(
            "DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers ORDER BY used LIMIT ?)",
            (int(entries * surplus) + 1,),
        )

    @staticmethod
    def _bytes(connection: sqlite3.Connection) -> int:
        """Bytes in use; pages that were freed are used again and do not count."""
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)


class _Transaction:
    """A connection of its own with one transaction, committed at the end."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> sqlite3.Connection:
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")
        self._connection.close()


def _insert(connection: sqlite3.Connection, entries: Iterable[tuple[bytes, str]]) -> None:
    now = int(time.time())
    connection.executemany(
        "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)",
        ((key, now, reply) for key, reply in entries),
    )


def _max_bytes() -> int:
    given = os.environ.get(SIZE_VARIABLE)
    if given is None:
        return MAX_BYTES
    if not given.isdigit():
        raise ConfigError(f"{SIZE_VARIABLE} is {given!r}; give a number of bytes")
    return int(given)
