"""What the caches on disk hold, of answers and of encodings, and what was removed from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from assize.disk_cache import CacheInfo
from assize.results import Column, Result, ResultTable, columns

ANSWERS: Literal["answers"] = "answers"
ENCODINGS: Literal["encodings"] = "encodings"


@dataclass(frozen=True, slots=True)
class CachesHeld(Result):
    """What the caches hold.

    Args:
        held: by `answers` and `encodings`.
    """

    held: Mapping[str, CacheInfo]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """One a cache: its file, how many, how large, when the oldest was last used."""
        return {
            name: ResultTable(f"Cache of {name}", columns("words", "", ""), _rows(name, one))
            for name, one in self.held.items()
        }

    def to_json(self) -> dict[str, Any]:
        """The cache of answers, and in it that of encodings."""
        shown = {name: _described(one) for name, one in self.held.items()}
        return {**shown[ANSWERS], ENCODINGS: shown[ENCODINGS]}


@dataclass(frozen=True, slots=True)
class CacheCleared(Result):
    """What was removed from the caches.

    Args:
        removed: how many, by `answers` and `encodings`; without those that were not asked for.
    """

    removed: Mapping[str, int]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """How many were removed, by cache."""
        named = [Column("cache"), Column("removed", "count")]
        return {"removed": ResultTable("Removed", named, list(self.removed.items()))}

    @property
    def notes(self) -> list[str]:
        """A line a cache."""
        return [f"{count:,} {name} removed" for name, count in self.removed.items()]

    def to_json(self) -> dict[str, Any]:
        """How many answers, and in it how many encodings."""
        answers, encodings = (self.removed.get(name, 0) for name in (ANSWERS, ENCODINGS))
        return {"removed": answers, ENCODINGS: {"removed": encodings}}


def _rows(name: str, held: CacheInfo) -> list[tuple[str, str]]:
    return [
        ("file", str(held.path)),
        (name, f"{held.entries:,}"),
        ("size", f"{held.bytes / 1e6:,.1f} MB of at most {held.max_bytes / 1e6:,.0f} MB"),
        ("oldest use", _described(held)["oldest_use"] or "-"),
    ]


def _described(held: CacheInfo) -> dict[str, Any]:
    found = asdict(held) | {"path": str(held.path)}
    oldest = found.pop("oldest")
    when = None if oldest is None else datetime.fromtimestamp(oldest, UTC).isoformat()
    return found | {"oldest_use": when}
