"""What the caches hold, and emptying them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from letters import Letters

from assize.base.errors import ConfigError
from assize.encoders import CachedEncoder
from assize.models import Cache, cache_info, clear_cache


def fill(count: int) -> Path:
    """So many answers, and one encoding more."""
    cache = Cache()
    for number in range(count):
        asyncio.run(cache.put(str(number).encode(), "reply"))
    cache.close()
    CachedEncoder(Letters()).encode([str(number) for number in range(count + 1)])
    return cache.path


def entries() -> tuple[int, int]:
    answers, encodings = cache_info().caches
    return answers.entries, encodings.entries


def test_info_says_where_and_how_much() -> None:
    path = fill(3)
    answers, encodings = cache_info().caches
    assert (answers.cache, answers.entries, answers.file) == ("answers", 3, str(path))
    assert (encodings.cache, encodings.entries) == ("encodings", 4)
    assert encodings.file == str(path.parent / "encodings.sqlite")
    assert min(answers.megabytes, encodings.megabytes) > 0


def test_clear_removes_all_or_only_what_was_not_used_for_long() -> None:
    fill(2)
    assert clear_cache(unused_days=1).to_json() == {"removed": {"answers": 0, "encodings": 0}}
    assert entries() == (2, 3)
    clear_cache()
    assert entries() == (0, 0)


def test_answers_that_were_paid_for_can_stay_when_encodings_go() -> None:
    fill(2)
    removed = clear_cache(only="encodings")
    assert removed.to_json() == {"removed": {"encodings": 3}}
    assert removed.notes == ["3 encodings removed"]
    assert entries() == (2, 0)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"only": "all"}, "allowed are answers and encodings"),
        ({"unused_days": -1}, "unused_days: received -1, allowed is at least 0"),
    ],
)
def test_what_cannot_be_is_said(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        clear_cache(**given)
