"""What the caches hold, as tables and as JSON."""

from __future__ import annotations

from pathlib import Path

from assize.disk_cache import CacheInfo
from assize.models.cache_result import CacheCleared, CachesHeld

EMPTY = CacheInfo(Path("e.sqlite"), 0, 0, 10_000_000, None)


def test_each_cache_has_a_table_and_encodings_stand_within_answers() -> None:
    answers = CacheInfo(Path("a.sqlite"), 1_200, 2_500_000, 8_000_000_000, 0)
    held = CachesHeld({"answers": answers, "encodings": EMPTY})
    assert held.tables["answers"].rows == [
        ("file", "a.sqlite"),
        ("answers", "1,200"),
        ("size", "2.5 MB of at most 8,000 MB"),
        ("oldest use", "1970-01-01T00:00:00+00:00"),
    ]
    assert held.tables["encodings"].rows[-1] == ("oldest use", "-")
    found = held.to_json()
    assert (found["path"], found["oldest_use"]) == ("a.sqlite", "1970-01-01T00:00:00+00:00")
    assert found["encodings"]["entries"] == 0


def test_what_was_removed_is_counted_by_cache() -> None:
    cleared = CacheCleared({"encodings": 3})
    assert cleared.to_json() == {"removed": 0, "encodings": {"removed": 3}}
    assert cleared.tables["removed"].rows == [("encodings", 3)]
    assert cleared.notes == ["3 encodings removed"]
