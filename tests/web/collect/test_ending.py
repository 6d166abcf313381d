"""An ended chat becomes an item, whose rating is kept for whoever talked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.web.collect.conftest import SYSTEMS, make_project

from assize.base.conversation import Conversation
from assize.formats.records import parse
from assize.simulate._topics_file import Topic
from assize.web._collect.ending import end_chat
from assize.web._storage import Store
from assize.web._storage.chats import (
    Chat,
    Message,
    NotPossible,
    find_chat,
    insert_chat,
    keep_answer,
    take_message,
)
from assize.web._storage.schema import assignments, items


def begun(store: Store, *, said: bool = True, answered: bool = True) -> None:
    chat = Chat("c1", 1, 1, Topic("keys", "rotate keys"), ("DS1",), "open", 10.0)
    store.write_now(insert_chat, chat)
    if said:
        store.write_now(take_message, "c1", "How?", 11.0)
    if said and answered:
        store.write_now(keep_answer, "c1", Message(1, "assistant", "So.", at=12.0))


def end(store: Store, folder: Path, least: int = 1) -> int:
    return store.write_now(end_chat, make_project(folder, SYSTEMS), "c1", least, 20.0)


def test_it_is_an_item_of_its_task_with_a_rating_for_whoever_talked(
    store: Store, tmp_path: Path
) -> None:
    begun(store)
    number = end(store, tmp_path)
    with store.connect() as connection:
        given: Any = connection.execute(select(assignments)).one()
        item: Any = connection.execute(select(items)).one()
        chat = find_chat(connection, "c1")
    assert (given.id, given.person, given.chosen, given.state) == (
        number,
        1,
        "collected",
        "reserved",
    )
    record = parse(item.record)
    assert isinstance(record, Conversation)
    assert (record.id, record.system) == ("c1", "DS1")
    assert "ann" not in repr(item.record)  # they may want to be forgotten
    assert chat is not None
    assert (chat.state, chat.assignment, chat.ended) == ("ended", number, 20.0)


@pytest.mark.parametrize(
    ("how", "least", "problem"),
    [
        ({"said": False}, 1, "at least 1 message "),
        ({}, 2, "at least 2 messages"),
        ({"answered": False}, 1, "being written"),
    ],
)
def test_it_cannot_end_too_early(
    store: Store, tmp_path: Path, how: dict[str, bool], least: int, problem: str
) -> None:
    begun(store, **how)
    with pytest.raises(NotPossible, match=problem):
        end(store, tmp_path, least)
