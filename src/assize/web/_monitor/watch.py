"""Figures that are kept until somebody answers, made off the event loop.

    watch = watch_of(store)
    progress = await watch.progress(task)
    seen = await watch.figures(task)

Where there are many judgments, a page shows the figures that there are and says how many answers
have come since, while newer ones are being made.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Connection

from assize.web._monitor.acts_check import judged_in
from assize.web._monitor.collected import Collected
from assize.web._monitor.figures import Figures, figures
from assize.web._monitor.progress import Progress, progress
from assize.web._monitor.reading import (
    Reading,
    TaskItems,
    WorkRead,
    answers_given,
    collected,
    read_judgments,
    read_work,
    task_items,
)
from assize.web._monitor.records import items_by_key
from assize.web._storage import Store
from assize.web._tasks.definition import Task

MANY = 20_000  # judgments from which a page does not wait for the newest figures
WITH_ITEMS = ("continuation", "acts", "maxims")  # kinds whose checks need the items
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A task's figures.

    Args:
        answers: how many answers they rest on, `newer` how many came since.
        collected: what they were made of.
        drawings: charts of them that were drawn, by name.
        unreadable: forms of older versions of the task that say nothing now.
        pilot: forms of pilot rounds, which are left out where the task is no pilot now.
    """

    figures: Figures
    collected: Collected
    answers: int
    newer: int = 0
    unreadable: int = 0
    pilot: int = 0
    drawings: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Kept:
    """What is known of one task."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    work: WorkRead | None = None
    progress: Progress | None = None
    counted: tuple[WorkRead, int] | None = None  # what `progress` was counted from
    reading: Reading | None = None
    seen: Seen | None = None
    stamp: tuple[str, int, int] | None = None  # of the reading that `seen` was made of
    making: asyncio.Task[Seen] | None = None


class Watch:
    """The figures of a project's tasks."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tasks: dict[str, _Kept] = {}

    async def progress(self, task: Task) -> Progress:
        """How far a task is now."""
        kept = self._kept(task)
        async with kept.lock:
            work, known = await asyncio.to_thread(self._work, task, kept.work)
            state = (work, len(known.to_rate))
            if kept.progress is None or kept.counted != state:
                wanted = (work.work.values(), known.to_rate, task.raters_per_item)
                kept.progress = await asyncio.to_thread(progress, *wanted)
                kept.work, kept.counted = work, state
            return kept.progress

    async def figures(self, task: Task) -> Seen:
        """A task's figures; the newest, or where there are many answers the last ones made."""
        kept = self._kept(task)
        now = await self._read(answers_given, task)
        if kept.seen is not None and kept.stamp == now:
            return kept.seen
        if kept.making is None or kept.making.done():
            kept.making = asyncio.create_task(self._make(task, kept))
        if kept.seen is not None and len(kept.seen.collected.table) >= MANY:
            newer = max(0, now[2] - kept.seen.answers)
            old = kept.seen
            return replace(old, newer=newer)
        return await asyncio.shield(kept.making)

    async def _make(self, task: Task, kept: _Kept) -> Seen:
        made = await asyncio.to_thread(self._made, task, kept.reading)
        kept.reading, kept.seen = made
        kept.stamp = (kept.reading.version, kept.reading.last, kept.reading.count)
        return kept.seen

    def _made(self, task: Task, before: Reading | None) -> tuple[Reading, Seen]:
        with self._store.connect() as connection:
            reading = read_judgments(connection, task, before)
            work = read_work(connection, task)
            known = task_items(connection, task)
            items = items_by_key(connection, task) if task.kind in WITH_ITEMS else {}
        counted = {at: one for at, one in work.work.items() if task.pilot or not one.pilot}
        found = collected(reading, counted, known.expected)
        made = figures(
            found,
            least=None if task.gold is None else task.gold.least,
            within=0 if task.qualification is None else task.qualification.within,
            items=items,
            judged=judged_in(task, items.values()),
        )
        pilot = sum(one.state == "done" for one in work.work.values()) - sum(
            one.state == "done" for one in counted.values()
        )
        return reading, Seen(made, found, reading.count, 0, reading.unreadable, pilot)

    def _work(self, task: Task, before: WorkRead | None) -> tuple[WorkRead, TaskItems]:
        with self._store.connect() as connection:
            return read_work(connection, task, before), task_items(connection, task)

    async def _read(self, function: Callable[[Connection, Task], T], task: Task) -> T:
        return await self._store.read(function, task)

    def _kept(self, task: Task) -> _Kept:
        return self._tasks.setdefault(task.name, _Kept())


_WATCHES: WeakKeyDictionary[Store, Watch] = WeakKeyDictionary()


def watch_of(store: Store) -> Watch:
    """The one watch of a store."""
    found = _WATCHES.get(store)
    if found is None:
        found = _WATCHES[store] = Watch(store)
    return found
