"""The response cache: each answer is paid for once, by whichever process asks first.

SQLite in WAL mode, one file, shared by concurrent processes. The key is a hash of what
the answer depends on; the value is the reply. No key, header or organisation is in it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assize.errors import ConfigError
from assize.judgment import Usage
from assize.models.background import Background
from assize.models.model import Gift, Model, Reply, Request, Token

FILE = "answers.sqlite"
MAX_BYTES = 8 << 30
SIZE_VARIABLE = "ASSIZE_CACHE_BYTES"
FOLDER_VARIABLE = "ASSIZE_CACHE_DIR"

_FORMAT = 1
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

Note = Callable[[str], None]


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
    mark = request.boundary
    said = [
        (message.role, message.text if mark is None else message.text.replace(mark, ""))
        for message in request.messages
    ]
    asked = (
        _FORMAT,
        identity,
        said,
        request.schema,
        request.temperature,
        request.seed,
        request.max_tokens,
        request.top_logprobs,
        request.choices,
        request.frame,
        request.sample,
    )
    return hashlib.sha256(json.dumps(asked).encode()).digest()


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
                f" or name another folder in {FOLDER_VARIABLE}"
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


def to_text(reply: Reply) -> str:
    """A reply as one short JSON text: what the cache and recordings hold."""
    tokens = [(token.text, token.logprob, token.top) for token in reply.tokens]
    value: dict[str, Any] = {"text": reply.text, "finish": reply.finish, "model": reply.model}
    value["usage"] = (reply.usage.input_tokens, reply.usage.output_tokens)
    if tokens:
        value["tokens"] = tokens
    if reply.scores:
        value["scores"] = dict(reply.scores)
    if reply.without:
        value["without"] = reply.without
    return json.dumps(value, separators=(",", ":"))


def from_text(text: str) -> Reply:
    """The inverse of `to_text`; the price is not stored, for prices change."""
    return from_value(json.loads(text))


def from_value(value: Mapping[str, Any], *, free: bool = False) -> Reply:
    """A reply from the object that `to_text` writes; `free` where it was paid for before."""
    tokens = tuple(
        Token(piece, logprob, tuple(map(tuple, top)))
        for piece, logprob, top in value.get("tokens", ())
    )
    spent = value.get("usage", (0, 0))
    return Reply(
        value["text"],
        value.get("finish", "stop"),
        tokens,
        value.get("scores", {}),
        Usage(spent[0], spent[1], 0.0, True) if free else Usage(spent[0], spent[1]),
        value.get("model", ""),
        tuple(value.get("without", ())),
    )


class Cached:
    """A model whose answers are stored, and asked for only once.

    Equal requests that are in flight at the same time share one call. A refusal is an
    answer and is stored; an error is not.

    Args:
        model: asked for what is not stored.
        cache: where answers are kept.
        on_problem: told, once, that answers cannot be stored any more.
    """

    def __init__(self, model: Model, cache: Cache, on_problem: Note | None = None) -> None:
        self._model = model
        self._cache = cache
        self._on_problem = on_problem
        self._asking: dict[bytes, asyncio.Future[Reply]] = {}

    @property
    def name(self) -> str:
        """As of the model inside."""
        return self._model.name

    @property
    def identity(self) -> str:
        """As of the model inside."""
        return self._model.identity

    @property
    def gives(self) -> frozenset[Gift]:
        """As of the model inside."""
        return self._model.gives

    async def ask(self, request: Request) -> Reply:
        """The stored answer at no cost, else a new one, stored before it is returned."""
        key = key_of(self.identity, request)
        stored = self._cache.get(key)
        if stored is not None:
            return from_value(json.loads(stored), free=True)
        if key in self._asking:
            return _free(await asyncio.shield(self._asking[key]))
        return await self._ask(key, request)

    async def _ask(self, key: bytes, request: Request) -> Reply:
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._asking[key] = future
        try:
            reply = await self._model.ask(request)
            await self._store(key, reply)
            future.set_result(reply)
            return reply
        except BaseException as error:
            if isinstance(error, Exception):
                future.set_exception(error)
                future.exception()  # seen here; whoever shares the call sees it too
            else:
                future.cancel()
            raise
        finally:
            del self._asking[key]

    async def _store(self, key: bytes, reply: Reply) -> None:
        try:
            await self._cache.put(key, to_text(reply))
        except sqlite3.Error as error:
            if self._on_problem is not None:
                self._on_problem(f"answers are no longer stored in {self._cache.path}: {error}")
                self._on_problem = None

    async def aclose(self) -> None:
        """Closes the model inside; the cache belongs to whoever opened it."""
        await self._model.aclose()


def _free(reply: Reply) -> Reply:
    usage = replace(reply.usage, cost_usd=0.0, cached=True)
    return replace(reply, usage=usage)
