"""The end of a chat: it becomes an item of its task, which whoever talked rates."""

from __future__ import annotations

from sqlalchemy import Connection, func, insert, select, update

from assize.base.signature import json_hash
from assize.formats import to_json
from assize.web._collect.turns import record_of
from assize.web._queue.chance import chance
from assize.web._queue.giving import give
from assize.web._queue.standing import joined, standing
from assize.web._storage.chats import Chat, NotPossible, close_chat, find_chat, set_assignment
from assize.web._storage.schema import items, tasks
from assize.web._tasks.definition import Task


def end_chat(connection: Connection, task: Task, id: str, least: int, now: float) -> int:
    """Ends a chat; returns its rating, an assignment of whoever talked.

    The item is open to others where the task wants several raters for each.

    Args:
        least: messages of the person that there must have been.

    Raises:
        NotPossible: it has ended, an answer is being written, or it is too short.
    """
    chat = find_chat(connection, id)
    if chat is None or chat.state != "open":
        raise NotPossible("This conversation has ended.")
    if chat.busy:
        raise NotPossible("The answer is still being written.")
    if chat.exchanges < least:
        word = "message" if least == 1 else "messages"
        raise NotPossible(f"Please write at least {least} {word} before you end the conversation.")
    close_chat(connection, id, now)
    ended = find_chat(connection, id)
    assert ended is not None
    who = joined(connection, standing(connection, task, chat.person))
    item = _item(connection, task, ended)
    given = give(connection, task, who, item, "collected", now, keep=True)
    assert given is not None  # the item is new, so there is room
    set_assignment(connection, id, given.id)
    return given.id


def _item(connection: Connection, task: Task, chat: Chat) -> int:
    """The chat as an item of its task, without who talked: they may want to be forgotten."""
    record = to_json(record_of(chat, task.name))
    before = connection.execute(
        select(func.count()).select_from(items).where(items.c.task == chat.task)
    ).scalar_one()
    connection.execute(update(tasks).where(tasks.c.id == chat.task).values(size=tasks.c.size + 1))
    made = insert(items).values(
        task=chat.task,
        key=chat.id,
        origin="collected",
        purpose="rate",
        place=before,
        rank=chance(task.seed, "rank", chat.id),
        hash=json_hash(record),
        record=record,
    )
    return int(connection.execute(made.returning(items.c.id)).scalar_one())
