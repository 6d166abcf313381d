"""The end of a chat: it becomes an item of its task, which whoever talked rates."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection

from assize.formats import to_json
from assize.web._collect.turns import record_of
from assize.web._queue.assign_item import assign_item
from assize.web._queue.choose_item import Choice
from assize.web._queue.item_rows import insert_item
from assize.web._queue.participant import read_participant
from assize.web._storage.chats import NotPossible, open_chat, update_chat
from assize.web._tasks.definition import Task


def end_chat(connection: Connection, task: Task, id: str, least: int, now: float) -> int:
    """Ends a chat; returns its rating, an assignment of whoever talked.

    The item is open to others where the task wants several raters for each.

    Args:
        least: messages of the person that there must have been.

    Raises:
        NotPossible: it has ended, an answer is being written, or it is too short.
    """
    chat = open_chat(connection, id)
    if chat.busy:
        raise NotPossible("The answer is still being written.")
    if chat.exchanges < least:
        word = "message" if least == 1 else "messages"
        raise NotPossible(f"Please write at least {least} {word} before you end the conversation.")
    ended = replace(chat, state="ended", ended=now)
    rater = read_participant(connection, task, chat.person)
    record = to_json(record_of(ended, task.name))  # without who talked: they may leave
    item = insert_item(connection, task, chat.task, "collected", record)
    given = assign_item(connection, task, rater, Choice(item, "collected"), now, keep=True)
    update_chat(connection, id, state="ended", ended=now, assignment=given.id)
    return given.id
