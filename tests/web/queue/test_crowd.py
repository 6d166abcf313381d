"""Many people at once, on connections side by side: the counts are right, nobody has too much."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from tests.web.queue.rounds import add_people, check, conversations, task_in

from assize.web._queue import (
    Assignment,
    Nothing,
    Refused,
    next_assignment,
    save_draft,
    skip,
    step,
    sync_task,
    undo,
)
from assize.web._storage import Store
from assize.web._tasks import Task

NAMES = tuple(f"p{number}" for number in range(12))
TABS = 2  # windows in which each person works at the same time
MINUTES = 60.0  # that an item is kept


class Crowd:
    """People who work on a task; their clock goes on, so that items run out meanwhile."""

    def __init__(self, store: Store, task: Task, people: dict[str, int]) -> None:
        self.store, self.task, self.people = store, task, people
        self.now = 1_000.0

    async def works(self, who: str, seed: int, *, steadily: bool) -> None:
        """One of a person's windows, until nothing is left for them."""
        chance = random.Random(seed)
        found: Any = await self._next(who)
        while isinstance(found, Assignment):
            self.now += 1.0
            try:
                found = await self._acts(found, "step" if steadily else self._drawn(chance))
            except Refused:  # from the other window
                found = await self._next(who)

    def _drawn(self, chance: random.Random) -> str:
        if chance.random() < 0.02:
            self.now += 40 * MINUTES
        return chance.choices(["step", "skip", "undo", "draft"], [16, 2, 1, 3])[0]

    async def _acts(self, one: Assignment, act: str) -> Any:
        mine = (self.task, one.id, one.person, one.revision)
        if act == "undo":
            return await self.store.write(_undone, *mine, now=self.now)
        if act == "skip":
            await self.store.write(skip, *mine, "odd", now=self.now)
        elif act == "draft":
            await self.store.write(save_draft, *mine, {"warm": "2"}, now=self.now)
        else:
            stepped = await self.store.write(step, *mine, {"warm": "1"}, now=self.now)
            return stepped.found
        return await self.store.write(next_assignment, self.task, one.person, self.now)

    async def _next(self, who: str) -> Assignment | Nothing:
        return await self.store.write(next_assignment, self.task, self.people[who], self.now)


def _undone(
    connection: Connection, task: Task, one: int, person: int, revision: int, *, now: float
) -> Assignment | Nothing:
    """Answers, and takes it back at once: it is the person's next item again."""
    step(connection, task, one, person, revision, {"warm": "3"}, now=now)
    undo(connection, task, one, person, revision + 1, now=now)
    return next_assignment(connection, task, person, now)


@pytest.mark.parametrize(
    "changes",
    [
        {"raters_per_item": 3},
        {"order": "file"},
        {"raters_per_item": 12},
    ],
    ids=["random", "file", "all by all"],
)
def test_counts_hold_whatever_a_crowd_does(
    either_store: Store, tmp_path: Path, changes: dict[str, Any]
) -> None:
    conversations(tmp_path, [f"c{number}" for number in range(20)])
    task = task_in(tmp_path, **changes)
    people = either_store.write_now(add_people, NAMES)
    either_store.write_now(sync_task, task, 1_000.0)
    crowd = Crowd(either_store, task, people)

    async def work(*, steadily: bool) -> None:
        await asyncio.gather(
            *(
                crowd.works(who, tab * 100 + place, steadily=steadily)
                for place, who in enumerate(NAMES)
                for tab in range(TABS)
            )
        )

    asyncio.run(work(steadily=False))
    either_store.write_now(check, task)
    crowd.now += 2 * MINUTES * 60
    asyncio.run(work(steadily=True))
    either_store.write_now(check, task)
    for person in people.values():
        found = either_store.write_now(next_assignment, task, person, crowd.now)
        assert isinstance(found, Nothing)
        assert found.why == "finished"
