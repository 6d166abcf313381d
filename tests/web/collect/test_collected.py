"""What was collected is exported as records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.collect.conftest import SYSTEMS, make_project

from assize.simulate._topics_file import Topic
from assize.web._collect.collected import collected
from assize.web._collect.ending import end_chat
from assize.web._storage import Store
from assize.web._storage.chats import Chat, Message, insert_chat, keep_answer, take_message


@pytest.fixture
def talked(store: Store, tmp_path: Path) -> Any:
    """Two chats, of which the first has ended."""
    task = make_project(tmp_path, SYSTEMS)
    for person, id in ((1, "c1"), (2, "c2")):
        chat = Chat(id, 1, person, Topic("keys", "rotate"), ("DS1",), "open", float(person))
        store.write_now(insert_chat, chat)
        store.write_now(take_message, id, "How?", 3.0)
        store.write_now(keep_answer, id, Message(1, "assistant", "So."))
    store.write_now(end_chat, task, "c1", 1, 5.0)
    return task


def test_ended_conversations_are_exported_with_who_talked(store: Store, talked: Any) -> None:
    with store.connect() as connection:
        found = list(collected(connection, "help"))
    assert [(one.id, one.metadata["rater"]) for one in found] == [("c1", "ann")]


def test_those_under_way_and_without_names_where_it_is_asked_for(store: Store, talked: Any) -> None:
    with store.connect() as connection:
        found = list(collected(connection, "help", open=True, raters=False))
    assert [one.id for one in found] == ["c1", "c2"]
    assert all("rater" not in one.metadata for one in found)
