"""A task that is worked on: items, people, a clock, and what must hold at any time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, insert, select

from assize.base.signature import content_hash
from assize.web._queue import Assignment, Nothing, held, next_assignment, submit, sync_task
from assize.web._storage.schema import (
    METADATA,
    answers,
    assignments,
    items,
    people,
)
from assize.web._tasks import Task

RUBRIC = """
rubric: warmth
version: 1
title: Warmth
main: warm
sections:
  - title: Warmth
    questions:
      - id: warm
        text: How warm is it?
        answers:
          1: cold
          2: mild
          3: hot
"""


def emptied(engine: Engine) -> None:
    with engine.begin() as connection:
        for table in reversed(METADATA.sorted_tables):
            connection.execute(table.delete())


def conversations(
    folder: Path, ids: Sequence[str], name: str = "items.jsonl", text: str = "hi"
) -> None:
    lines = [
        json.dumps(
            {"id": one, "turns": [{"role": "user", "text": f"{text} {one}"}], "system": "bot"}
        )
        for one in ids
    ]
    (folder / name).write_text("\n".join(lines), encoding="utf-8")


def known(folder: Path, ids: Sequence[str], name: str, answer: str = "1") -> None:
    lines = [
        json.dumps({"item": one, "judge": "gold", "question": "warm", "answer": answer})
        for one in ids
    ]
    (folder / name).write_text("\n".join(lines), encoding="utf-8")


def task_in(folder: Path, **changes: Any) -> Task:
    """A task over `items.jsonl` of the folder."""
    (folder / "warmth.yaml").write_text(RUBRIC, encoding="utf-8")
    one = Task(
        "warmth",
        "rate",
        "Warmth",
        folder=folder,
        items=("items.jsonl",),
        raters_per_item=2,
        settings={"rubric": "warmth.yaml"},
        seed=7,
    )
    one = replace(one, **changes)
    return replace(one, hash=content_hash(repr(replace(one, hash=""))))


def add_people(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    made = {}
    for name in names:
        row = insert(people).values(name=name, role="rater", disabled=False, created=0.0)
        made[name] = int(connection.execute(row.returning(people.c.id)).scalar_one())
    return made


def assignment(connection: Connection, one: int, person: int) -> Assignment:
    """A person's own assignment, as it is now."""
    found = held(connection, one, person)
    assert found is not None
    return found.one


@dataclass
class Round:
    """A task and the people who work on it.

    Args:
        now: seconds; every act moves it on by one.
    """

    connection: Connection
    task: Task
    people: dict[str, int]
    now: float = 1_000.0

    def tick(self, seconds: float = 1.0) -> float:
        self.now += seconds
        return self.now

    def next(self, who: str) -> Assignment | Nothing:
        return next_assignment(self.connection, self.task, self.people[who], self.tick())

    def given(self, who: str) -> Assignment:
        found = self.next(who)
        assert isinstance(found, Assignment), found
        return found

    def answer(self, one: Assignment, warm: str = "1", **more: Any) -> Assignment:
        return submit(
            self.connection,
            self.task,
            one.id,
            one.person,
            one.revision,
            {"warm": warm},
            now=self.tick(),
            **more,
        )

    def worked(self, who: str, most: int = 10_000) -> list[Assignment]:
        """All that a person is given, answered, in order."""
        found: list[Assignment] = []
        while len(found) < most and isinstance(one := self.next(who), Assignment):
            found.append(one)
            self.answer(one)
        return found

    def sync(self, task: Task | None = None) -> Any:
        self.task = self.task if task is None else task
        return sync_task(self.connection, self.task, self.tick())


@contextmanager
def round_of(
    engine: Engine,
    folder: Path,
    count: int = 10,
    names: Sequence[str] = ("ann", "bob", "cat"),
    **changes: Any,
) -> Iterator[Round]:
    """A task of so many items, as `round_about` has it."""
    conversations(folder, [f"c{n}" for n in range(count)])
    with round_about(engine, task_in(folder, **changes), names) as found:
        yield found


@contextmanager
def round_about(engine: Engine, task: Task, names: Sequence[str] = ("ann",)) -> Iterator[Round]:
    """A synced task in a transaction that is rolled back."""
    with engine.connect() as connection:
        found = Round(connection, task, add_people(connection, names))
        found.sync()
        yield found
        connection.rollback()


def check(connection: Connection, task: Task) -> None:
    """Asserts what must hold of a task at any time."""
    wanted = task.raters_per_item
    every = [row._mapping for row in connection.execute(select(assignments))]
    by_item = Counter[tuple[int, str]]()
    for row in every:
        by_item[row["item"], row["state"]] += 1
    for item in connection.execute(select(items)).all():
        if item.purpose != "rate":
            continue
        reserved, done = by_item[item.id, "reserved"], by_item[item.id, "done"]
        assert item.taken == reserved + done <= wanted
        assert (item.done, item.skipped) == (done, by_item[item.id, "skipped"])
        assert item.open == (item.taken < wanted and item.skipped <= wanted and not item.removed)
    _check_history(connection, every)


def _check_history(connection: Connection, every: Sequence[Any]) -> None:
    events: dict[int, list[Any]] = {}
    for row in connection.execute(select(answers).order_by(answers.c.id)):
        events.setdefault(row.assignment, []).append(row)
    for one in every:
        mine = events.get(one["id"], [])
        assert [row.number for row in mine] == list(range(one["revision"]))
        last = mine[-1].event if mine else None
        if one["state"] in ("done", "skipped"):
            assert last == {"done": "submit", "skipped": "skip"}[one["state"]]
        else:
            assert last in (None, "undo", "return", "withdraw")
