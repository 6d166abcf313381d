"""What takes a while to work out: made in a thread, and kept until what it is made of changes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

THREADS = 2  # that work at a time
PATIENCE = 4.0  # seconds that a page waits before it says that it works
MOST = 64  # values that are kept


@dataclass(frozen=True, slots=True)
class Kept:
    """A value, made for `key`; `stale` where a newer one is being made."""

    key: str
    value: Any
    stale: bool = False


@dataclass
class Cache:
    """The values of one app, by name."""

    _kept: OrderedDict[str, Kept] = field(default_factory=OrderedDict)
    _jobs: dict[tuple[str, str], Future[Any]] = field(default_factory=dict)
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(THREADS, thread_name_prefix="assize-figures")
    )

    def clear(self) -> None:
        """Forget all values."""
        self._kept.clear()

    async def get(
        self, name: str, key: str, make: Callable[[], Any], *, patience: float = PATIENCE
    ) -> Kept | None:
        """Return the value of that name and key; while it is made, the earlier one.

        Args:
            key: changes with what the value is made of.
            make: called in a thread where there is none.

        Returns:
            None where there is no earlier one.

        Raises:
            AssizeError: what `make` raises; asked again, it is tried again.
        """
        kept = self._kept.get(name)
        if kept is None or kept.key != key:
            job = self._jobs.get((name, key))
            if job is None:
                job = self._jobs[name, key] = self._pool.submit(make)
            made = asyncio.wrap_future(job)
            await asyncio.wait([made], timeout=patience)
            if not job.done():
                return None if kept is None else replace(kept, stale=True)
            self._jobs.pop((name, key), None)
            kept = self._kept[name] = Kept(key, await made)
        self._kept.move_to_end(name)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return kept
