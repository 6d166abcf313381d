"""The response cache: each answer is paid for once, by whichever process asks first.

Who asks claims the question (`Claims`); others wait for the answer to be stored.

The key is a hash of what the answer depends on; the value is the reply. No key, header or
organisation is in it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

from assize.base.disk_cache import CacheInfo, DiskCache, bytes_allowed, cache_folder
from assize.base.signature import content_hash
from assize.models.claims import Claims
from assize.models.model import Reply, Request, from_value
from assize.running.background import Background

FILE = "answers.sqlite"
CLAIMS = "-asking"  # behind the file's name
MAX_BYTES = 8 << 30
SIZE_VARIABLE = "ASSIZE_CACHE_BYTES"

Note = Callable[[str], None]

_FORMAT = 3
_LEARNT = "CREATE TABLE IF NOT EXISTS learnt (model TEXT, fact TEXT, PRIMARY KEY (model, fact));"


def key_of(identity: str, request: Request) -> bytes:
    """What an answer depends on, as 32 bytes; without the boundary that fences judged text, so
    that two installations share answers to the same question."""
    settings = (
        _FORMAT,
        identity,
        request.schema,
        request.temperature,
        request.seed,
        request.max_tokens,
        request.top_logprobs,
        request.sample,
    )
    pieces: list[str | bytes] = [json.dumps(settings)]
    for message in request.messages:
        text = (
            message.text if request.boundary is None else message.text.replace(request.boundary, "")
        )
        data = text.encode("utf-8", "surrogatepass")
        pieces += [f"{message.role} {len(data)} ", data]
    return bytes.fromhex(content_hash(*pieces))


class Cache:
    """Answers on disk; `put` returns once the answer would survive a power cut.

    A damaged answer is one that is not there.

    Args:
        path: the SQLite file; its folder is made.
        max_bytes: the answers that were not used for longest go when there are more.
        note: told, once each, that answers cannot be read, and that they cannot be stored.

    Raises:
        ConfigError: the place cannot be written, or holds something else.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        max_bytes: int | None = None,
        note: Note = lambda _: None,
    ) -> None:
        self._kept = DiskCache(
            cache_folder() / FILE if path is None else path,
            table="answers",
            column="reply",
            max_bytes=bytes_allowed(SIZE_VARIABLE, MAX_BYTES) if max_bytes is None else max_bytes,
            durable=True,
            more=_LEARNT,
        )
        self.claims = Claims(self.path.with_name(self.path.name + CLAIMS))
        self._background = Background(self._kept.put, "assize-cache")
        self._note = note
        self._noted: set[str] = set()

    @property
    def path(self) -> Path:
        """The file."""
        return self._kept.path

    def get(self, key: bytes) -> str | None:
        """The stored answer, or None."""
        try:
            reply: str | None = self._kept.get([key]).get(key)
        except sqlite3.Error as error:
            self._damaged(error)
            return None
        return reply

    def reply(self, key: bytes, *, free: bool = False) -> Reply | None:
        """The stored answer as a reply, `free` where it was paid for before; or None."""
        text = self.get(key)
        try:
            return None if text is None else from_value(json.loads(text), free=free)
        except (ValueError, LookupError, TypeError, AttributeError):
            return None  # it is no reply

    def _damaged(self, error: Exception) -> None:
        self._note_once(
            "damaged",
            f"the cache {self.path} is damaged ({error}): what cannot be read in it is asked anew;"
            " remove the file to be rid of this",
        )

    def _note_once(self, kind: str, problem: str) -> None:
        if kind not in self._noted:
            self._noted.add(kind)
            self._note(problem)

    async def put(self, key: bytes, reply: str) -> None:
        """Stores an answer; returns once it is on disk, or cannot be stored, which is noted."""
        try:
            await self._background.done((key, reply))
        except sqlite3.Error as error:
            self._note_once("unstored", f"answers are no longer stored in {self.path}: {error}")

    def put_now(self, entries: Iterable[tuple[bytes, str]]) -> None:
        """Stores answers at once, in one transaction; for collecting batches."""
        self._kept.put(entries)

    def facts(self, model: str) -> frozenset[str]:
        """What earlier calls taught about a model, such as a parameter that it refuses."""
        try:
            rows = self._kept.read("SELECT fact FROM learnt WHERE model = ?", model)
        except sqlite3.Error as error:
            self._damaged(error)
            return frozenset()
        return frozenset(fact for (fact,) in rows)

    def learn(self, model: str, fact: str) -> None:
        """Remembers a fact about a model for later runs."""
        try:
            with self._kept.transaction() as connection:
                connection.execute("INSERT OR IGNORE INTO learnt VALUES (?, ?)", (model, fact))
        except sqlite3.Error as error:
            self._damaged(error)

    def info(self) -> CacheInfo:
        """How much is stored."""
        return self._kept.info()

    def clear(self, *, unused_days: float | None = None) -> int:
        """Removes all answers, or those not used for so many days; returns how many."""
        if unused_days is None:
            with self._kept.usable(), self._kept.transaction() as connection:
                connection.execute("DELETE FROM learnt")
        return self._kept.clear(unused_days=unused_days)

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        self._background.close()
        self._kept.close()
        self.claims.close()
