"""What the caches on disk hold, of answers and of encodings, and what was removed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal

from assize.base.disk_cache import CacheInfo
from assize.results import Column, Result, Table

ANSWERS: Literal["answers"] = "answers"
ENCODINGS: Literal["encodings"] = "encodings"


@dataclass(frozen=True, slots=True)
class CacheRow:
    """What a cache holds.

    Args:
        cache: of answers or of encodings.
        megabytes, at_most: how large it is, and may become, in 10^6 bytes.
        oldest_use: when the entry that was used least recently was last used (UTC, ISO 8601);
            None of an empty cache.
    """

    cache: str
    entries: int
    megabytes: Annotated[float, Column("size", "number", digits=1, unit=" MB")]
    at_most: Annotated[float, Column(kind="number", digits=0, unit=" MB")]
    oldest_use: str | None
    file: str


@dataclass(frozen=True)
class CachesHeld(Result):
    """What the caches hold."""

    caches: Annotated[Sequence[CacheRow], Table("Caches")]


def caches_held(held: Mapping[str, CacheInfo]) -> CachesHeld:
    """Return what caches hold, by `answers` and `encodings`."""
    return CachesHeld([_cache_row(name, info) for name, info in held.items()])


def _cache_row(name: str, info: CacheInfo) -> CacheRow:
    when = None if info.oldest is None else datetime.fromtimestamp(info.oldest, UTC).isoformat()
    sizes = info.bytes / 1e6, info.max_bytes / 1e6
    return CacheRow(name, info.entries, *sizes, when, str(info.path))


@dataclass(frozen=True)
class CacheCleared(Result):
    """What was removed from the caches.

    Args:
        removed: how many, by `answers` and `encodings`; without those that were not asked for.
    """

    removed: Annotated[Mapping[str, int], Table("Entries removed", key="cache")]

    @property
    def notes(self) -> Sequence[str]:
        """A line a cache."""
        return [f"{count:,} {name} removed" for name, count in self.removed.items()]
