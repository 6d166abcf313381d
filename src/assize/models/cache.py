"""The response cache: each answer is paid for once, by whichever process asks first.

The key is a hash of what the answer depends on; the value is the reply. No key, header or
organisation is in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from assize.disk_cache import CacheInfo, DiskCache, bytes_allowed, cache_folder
from assize.models.model import Request
from assize.running.background import Background
from assize.signature import content_hash

FILE = "answers.sqlite"
MAX_BYTES = 8 << 30
SIZE_VARIABLE = "ASSIZE_CACHE_BYTES"

_FORMAT = 2
_LEARNT = "CREATE TABLE IF NOT EXISTS learnt (model TEXT, fact TEXT, PRIMARY KEY (model, fact));"


def key_of(identity: str, request: Request) -> bytes:
    """What an answer depends on, as 32 bytes; without the boundary that fences judged text, so
    that two installations share answers to the same question."""
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


class Cache:
    """Answers on disk; `put` returns once the answer would survive a power cut.

    Args:
        path: the SQLite file; its folder is made.
        max_bytes: the answers that were not used for longest go when there are more.

    Raises:
        ConfigError: the place cannot be written, or holds something else.
    """

    def __init__(self, path: Path | None = None, *, max_bytes: int | None = None) -> None:
        self._kept = DiskCache(
            cache_folder() / FILE if path is None else path,
            table="answers",
            column="reply",
            max_bytes=bytes_allowed(SIZE_VARIABLE, MAX_BYTES) if max_bytes is None else max_bytes,
            durable=True,
            more=_LEARNT,
        )
        self._background = Background(self._kept.put, "assize-cache")

    @property
    def path(self) -> Path:
        """The file."""
        return self._kept.path

    def get(self, key: bytes) -> str | None:
        """The stored answer, or None."""
        return self._kept.get([key]).get(key)

    async def put(self, key: bytes, reply: str) -> None:
        """Stores an answer; returns once it is on disk."""
        await self._background.done((key, reply))

    def put_now(self, entries: Iterable[tuple[bytes, str]]) -> None:
        """Stores answers at once, in one transaction; for collecting batches."""
        self._kept.put(entries)

    def learnt(self, model: str) -> frozenset[str]:
        """What earlier calls taught about a model, such as a parameter it refuses."""
        rows = self._kept.read("SELECT fact FROM learnt WHERE model = ?", model)
        return frozenset(fact for (fact,) in rows)

    def learn(self, model: str, fact: str) -> None:
        """Remembers a fact about a model for later runs."""
        with self._kept.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO learnt VALUES (?, ?)", (model, fact))

    def info(self) -> CacheInfo:
        """How much is stored."""
        return self._kept.info()

    def clear(self, *, unused_days: float | None = None) -> int:
        """Removes all answers, or those not used for so many days; returns how many."""
        if unused_days is None:
            with self._kept.transaction() as connection:
                connection.execute("DELETE FROM learnt")
        return self._kept.clear(unused_days=unused_days)

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        self._background.close()
        self._kept.close()
