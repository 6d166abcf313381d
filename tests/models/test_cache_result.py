"""What the caches hold, as tables and as JSON."""

from __future__ import annotations

from pathlib import Path

from assize.base.disk_cache import CacheInfo
from assize.models.cache_result import CacheCleared, caches_held

EMPTY = CacheInfo(Path("e.sqlite"), 0, 0, 10_000_000, None)


def test_each_cache_is_a_row() -> None:
    info = CacheInfo(Path("a.sqlite"), 1_200, 2_500_000, 8_000_000_000, 0)
    held = caches_held({"answers": info, "encodings": EMPTY})
    first, second = held.tables["caches"].texts()[1]
    assert [text for text, _ in first] == [
        *("answers", "1,200", "2.5 MB", "8,000 MB"),
        *("1970-01-01T00:00:00+00:00", "a.sqlite"),
    ]
    assert second[4] == ("", "")
    answers, encodings = held.to_json()["caches"]
    assert (answers["megabytes"], answers["at_most"], answers["file"]) == (2.5, 8000, "a.sqlite")
    assert "oldest_use" not in encodings


def test_what_was_removed_is_counted_by_cache() -> None:
    cleared = CacheCleared({"encodings": 3})
    assert cleared.to_json() == {"removed": {"encodings": 3}}
    assert cleared.tables["removed"].rows == [["encodings", 3]]
    assert cleared.notes == ["3 encodings removed"]
