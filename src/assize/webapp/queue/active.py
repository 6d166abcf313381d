"""The active queue: which item teaches a calibrator most, worked out beside the raters' work.

    answers of models ─┐
    ratings so far ────┼─► assize.next_ratings ─► items.priority ─► the queue draws the highest
    calibrators ───────┘

The free share of the items, those first in the random order, has no priority and is drawn by
chance alone: agreement is estimated on it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, bindparam, select, update

from assize.conversation import Item
from assize.errors import AssizeError, ConfigError
from assize.judgments import JudgmentTable
from assize.webapp.monitor.collected import ordinary
from assize.webapp.monitor.reading import (
    collected,
    number_of,
    read_judgments,
    read_work,
)
from assize.webapp.monitor.records import items_by_key
from assize.webapp.monitor.said import when
from assize.webapp.storage import Store
from assize.webapp.storage.schema import items, participations
from assize.webapp.tasks.definition import Task

AT_ONCE = 500  # items in one write, so that no rater waits for all of them


def priorities(
    task: Task, conversations: Mapping[str, Item], ratings: JudgmentTable
) -> dict[str, float]:
    """What a rating of each item would teach, in nats for its cost, over all questions.

    Args:
        task: with its `active` section, whose files lie in the project's folder.
        conversations: the task's items, by their ids.
        ratings: by people, so far; who rated an item is not asked again.

    Returns:
        By item; 0 where no rating would teach anything, or nobody is left to ask. Items without
        a model's answers are not in it.

    Raises:
        ConfigError: the task has no `active` section; as `assize.next_ratings`.
        DataError: as `assize.next_ratings`.
    """
    import assize

    if task.active is None:
        raise ConfigError(f"{task.name!r} has no `active` section")
    answers = assize.read_judgments([str(task.file(one)) for one in task.active.answers])
    known = {name: 0.0 for name in answers.items if name in conversations}
    routing = None if task.active.routing is None else str(task.file(task.active.routing))
    found = assize.next_ratings(
        [str(task.file(one)) for one in task.active.calibrators],
        answers,
        ratings=ratings if len(ratings) else None,
        routing=routing,
        items=list(conversations.values()),
        count=max(1, len(known) * len(answers.questions)),
        seed=task.seed,
    )
    for one in found.wanted.found:
        if one.item in known:
            known[one.item] += one.gain / one.cost
    return known


@dataclass(frozen=True, slots=True)
class Ordered:
    """How far the ordering of a task's queue is.

    Args:
        items: that have a priority. at: when they got it; None where they never did.
        problem: why the last time failed; "" where it did not.
    """

    free: float
    items: int = 0
    at: float | None = None
    running: bool = False
    problem: str = ""

    @property
    def sentence(self) -> str:
        """That in words."""
        free = f"{self.free:.0%} of the items are kept free and drawn at random."
        if self.running:
            return f"Being ordered by what a rating would teach. {free}"
        if self.at is None:
            return f"Not ordered yet since the app was started: items come at random. {free}"
        return (
            f"{self.items:,} items are ordered by what a rating would teach, since"
            f" {when(self.at)} UTC. {free}"
        )


class Orders:
    """Keeps the queues of active tasks in order, in the background."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._states: dict[str, Ordered] = {}
        self._since: dict[str, int] = {}  # forms submitted since it was ordered
        self._running: dict[str, asyncio.Task[None]] = {}

    def state(self, task: Task) -> Ordered:
        """How far the ordering of a task's queue is."""
        free = 0.0 if task.active is None else task.active.free
        return self._states.get(task.name, Ordered(free))

    def submitted(self, task: Task) -> None:
        """Counts a form; after enough of them, and after the first, orders the queue anew."""
        if task.order != "active" or task.active is None:
            return
        first = task.name not in self._since
        self._since[task.name] = self._since.get(task.name, 0) + 1
        if first or self._since[task.name] >= task.active.every:
            self.refresh(task)

    def refresh(self, task: Task) -> asyncio.Task[None]:
        """Orders a task's queue anew, in the background; where that is under way, nothing more."""
        running = self._running.get(task.name)
        if running is not None and not running.done():
            return running
        self._since[task.name] = 0
        self._states[task.name] = replace(self.state(task), running=True, problem="")
        made = asyncio.create_task(self._order(task))
        self._running[task.name] = made
        return made

    async def finished(self, task: Task) -> None:
        """Waits for what is under way."""
        running = self._running.get(task.name)
        if running is not None:
            await running

    async def _order(self, task: Task) -> None:
        before = self.state(task)
        try:
            found = await asyncio.to_thread(self._priorities, task)
            written = await self._write(task, found)
        except (AssizeError, OSError) as error:
            self._states[task.name] = replace(before, running=False, problem=str(error))
            return
        self._states[task.name] = Ordered(before.free, written, time.time())

    def _priorities(self, task: Task) -> dict[str, float]:
        with self._store.connect() as connection:
            reading = read_judgments(connection, task)
            work = read_work(connection, task).work
            known = items_by_key(connection, task)
        found = collected(reading, work, {})
        return priorities(task, known, found.table.filter(found.mask(ordinary)))

    async def _write(self, task: Task, found: Mapping[str, float]) -> int:
        numbers = await self._store.read(_ordered_items, task)
        rows = [{"number": number, "value": found[key]} for key, number in numbers if key in found]
        for start in range(0, len(rows), AT_ONCE):
            await self._store.write(_prioritised, rows[start : start + AT_ONCE])
        await self._store.write(_looked_at_anew, task)
        return len(rows)


def _ordered_items(connection: Connection, task: Task) -> list[tuple[str, int]]:
    """The items that are not of the free share, by id and number."""
    free = 0.0 if task.active is None else task.active.free
    i = items.c
    rows = connection.execute(
        select(i.key, i.id).where(
            i.task == number_of(connection, task), i.purpose == "rate", i.rank >= free, ~i.removed
        )
    )
    return [(row.key, row.id) for row in rows]


def _prioritised(connection: Connection, rows: Sequence[Mapping[str, float]]) -> None:
    connection.execute(
        update(items).where(items.c.id == bindparam("number")).values(priority=bindparam("value")),
        list(rows),
    )


def _looked_at_anew(connection: Connection, task: Task) -> None:
    """Everybody looks among the priorities from the highest again."""
    connection.execute(
        update(participations)
        .where(participations.c.task == number_of(connection, task))
        .values(active_front=None)
    )


_ORDERS: WeakKeyDictionary[Store, Orders] = WeakKeyDictionary()


def orders_of(store: Store) -> Orders:
    """The one keeper of a store's active queues."""
    found = _ORDERS.get(store)
    if found is None:
        found = _ORDERS[store] = Orders(store)
    return found
