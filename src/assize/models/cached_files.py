"""What the caches of answers and of encodings hold, and emptying them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, Literal

from assize.base.arguments import check_range
from assize.base.disk_cache import DiskCache
from assize.base.errors import ConfigError
from assize.encoders.cached import open_encodings
from assize.models.cache import Cache
from assize.models.cache_result import ANSWERS, ENCODINGS, CacheCleared, CachesHeld, caches_held


def cache_info() -> CachesHeld:
    """Show where answers and encodings are cached, how many, and how large.

    Raises:
        ConfigError: a cache cannot be opened.
    """
    return caches_held({name: store.info() for name, store in _stores(None)})


def clear_cache(
    *,
    unused_days: float | None = None,
    only: Literal["answers", "encodings"] | None = None,
) -> CacheCleared:
    """Remove cached answers and encodings: all, or those not used for some days.

    Args:
        unused_days: only remove what was not used for this many days.
        only: clear only answers (paid for) or only encodings (can be computed again).

    Raises:
        ConfigError: a cache cannot be opened, or there is none of that name.
    """
    check_range("unused_days", unused_days, 0)
    return CacheCleared(
        {name: store.clear(unused_days=unused_days) for name, store in _stores(only)}
    )


def _stores(only: str | None) -> Iterator[tuple[str, Cache | DiskCache]]:
    """The caches by name, each closed after its turn."""
    opening: dict[str, Any] = {ANSWERS: Cache, ENCODINGS: open_encodings}
    if only not in (None, *opening):
        raise ConfigError(f"only {only!r}: allowed are {' and '.join(opening)}", "only")
    for name, opened in opening.items():
        if only in (None, name):
            with closing(opened()) as store:
                yield name, store
