"""The project's own ratings as a dashboard, one a task."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection

from assize.web._dashboard.sources import OWN, Loaded, Source, ratings_source
from assize.web._monitor.collected import ordinary
from assize.web._monitor.reading import (
    answers_given,
    collected,
    read_judgments,
    read_work,
    task_items,
)
from assize.web._monitor.records import items_by_key
from assize.web._tasks import kind_of
from assize.web._tasks.definition import Task


class Readable(Protocol):
    """A database that can be read from a thread."""

    def connect(self) -> AbstractContextManager[Connection]:
        """A connection to read with."""
        ...


def task_in(name: str) -> str:
    """The task whose ratings a dashboard of that name shows; "" for none.

    >>> task_in("ratings.clarity"), task_in("satisfaction")
    ('clarity', '')
    """
    own, _, task = name.partition(".")
    return task if own == OWN else ""


def own_source(connection: Connection, store: Readable, task: Task) -> Source:
    """The ratings of a task as they are now: those of ordinary items.

    Gold items and the qualification are left out, as in the monitor.

    Args:
        connection: to see which ratings there are; they are read from `store`, later.
    """
    token = "|".join(map(str, answers_given(connection, task)))
    kind = kind_of(task)
    return ratings_source(
        task.name,
        task.title,
        lambda: _read(store, task),
        token,
        main=kind.main(task),
        time="metadata.at" if kind.starts_at else "",  # a conversation's beginning
    )


def _read(store: Readable, task: Task) -> Loaded:
    with store.connect() as connection:
        known, work = task_items(connection, task), read_work(connection, task)
        found = collected(read_judgments(connection, task), work.work, known.expected)
        items = items_by_key(connection, task)
    return found.table.filter(found.mask(ordinary)), items.values()
