"""What a task has collected, as records: conversations, or pairs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, select

from assize.base.conversation import Conversation, Pair
from assize.web._collect.turns import record_of
from assize.web._storage.chats import chats_of, task_number
from assize.web._storage.schema import people


def collected(
    connection: Connection, task: str, *, open: bool = False, raters: bool = True
) -> Iterator[Conversation | Pair]:
    """The conversations of a task that have ended, oldest first; ratings name them by their id.

    Args:
        task: its name.
        open: also those that are under way, as far as they came.
        raters: whether metadata name who talked, as their judgments do.
    """
    names = {one.id: one.name for one in connection.execute(select(people.c.id, people.c.name))}
    number = task_number(connection, task)
    for one in () if number is None else chats_of(connection, number):
        if one.state == "ended" or (open and one.exchanges):
            yield record_of(one, task, names.get(one.person) if raters else None)
