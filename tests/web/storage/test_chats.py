"""What is kept of chats, and in which order things may happen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from postgres import Postgres, postgres_server
from sqlalchemy import Connection
from tests.web.blank import with_tables

from assize.base.conversation import Reference
from assize.simulate._topics_file import Topic
from assize.web._storage import Store, open_store
from assize.web._storage.chats import (
    Chat,
    Message,
    NotPossible,
    again,
    chat_under_way,
    chats_of,
    count_put_aside,
    count_topics,
    find_chat,
    insert_chat,
    interrupt,
    keep_answer,
    put_aside,
    spent_on,
    take_message,
    task_data,
    update_chat,
)
from assize.web._storage.schema import chats, messages, people, tasks

__all__ = ["postgres_server"]
SOURCE = Reference("1", "Keys", "Rotate.", {"page": "k"})


@pytest.fixture(scope="session")
def cluster(postgres_server: Postgres) -> Iterator[Store]:
    opened = open_store(postgres_server.database())
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty database of each kind, with two people and a task whose numbers are 1 and 2, 1."""
    if request.param == "postgres":
        opened = request.getfixturevalue("cluster")
        opened.write_now(_emptied)
    else:
        opened = open_store(with_tables(f"sqlite:///{tmp_path / 'web.db'}"))
    opened.write_now(_filled)
    yield opened
    if request.param == "sqlite":
        opened.close()


def _emptied(connection: Connection) -> None:
    for table in (messages, chats, tasks, people):
        connection.execute(table.delete())


def _filled(connection: Connection) -> None:
    for number, name in enumerate(("ann", "ben"), start=1):
        connection.execute(people.insert().values(id=number, name=name, role="rater", created=0.0))
    connection.execute(tasks.insert().values(id=1, name="help", kind="collect", version=1))


def begin(
    store: Store, id: str = "c1", *systems: str, person: int = 1, topic: str = "t", at: float = 0
) -> None:
    chat = Chat(id, 1, person, Topic(topic, "keys"), systems or ("DS1",), "open", at)
    store.write_now(insert_chat, chat)


def say(store: Store, text: str = "How?", id: str = "c1") -> int:
    return store.write_now(take_message, id, text, 1.0)


def answer(store: Store, place: int, text: str = "So.", side: str = "", **more: Any) -> None:
    store.write_now(keep_answer, "c1", Message(place, "assistant", text, side, **more))


def chat(store: Store, id: str = "c1") -> Chat:
    with store.connect() as connection:
        found = find_chat(connection, id)
    assert found is not None
    return found


def test_a_message_is_kept_before_its_answer_is_there(store: Store) -> None:
    begin(store)
    assert say(store) == 1
    found = chat(store)
    assert [(one.role, one.text, one.state) for one in found.messages] == [
        ("user", "How?", "whole"),
        ("assistant", "", "writing"),
    ]
    assert found.busy


def test_a_whole_answer_is_kept_with_its_sources_and_details(store: Store) -> None:
    begin(store)
    answer(store, say(store), references=(SOURCE,), details={"model": "m"}, at=2.0)
    found = chat(store).messages[1]
    assert (found.text, found.references, found.details) == ("So.", (SOURCE,), {"model": "m"})
    assert not chat(store).busy


def test_both_sides_answer_one_message(store: Store) -> None:
    begin(store, "c1", "DS1", "DS2")
    place = say(store)
    answer(store, place, "a", "A")
    answer(store, place, "b", "B")
    found = chat(store)
    assert [one.text for one in found.of("A")] == ["How?", "a"]
    assert [one.text for one in found.of("B")] == ["How?", "b"]
    assert found.system("B") == "DS2"
    assert found.exchanges == 1


def test_no_message_is_taken_while_an_answer_is_written_or_missing(store: Store) -> None:
    begin(store)
    place = say(store)
    with pytest.raises(NotPossible, match="being written"):
        say(store)
    answer(store, place, "So", state="interrupted")
    with pytest.raises(NotPossible, match="broke off"):
        say(store)
    assert len(chat(store).messages) == 2


def test_an_answer_that_broke_off_is_asked_for_again_and_its_text_replaced(store: Store) -> None:
    begin(store, "c1", "DS1", "DS2")
    place = say(store)
    answer(store, place, "whole", "A")
    answer(store, place, "half", "B", state="interrupted")
    assert [one.side for one in store.write_now(again, "c1", 3.0)] == ["B"]
    assert [(one.text, one.state) for one in chat(store).messages[1:]] == [
        ("whole", "whole"),
        ("", "writing"),
    ]
    answer(store, place, "now", "B", details={"model": "m"})
    assert chat(store).messages[2].details == {"tries": 2, "model": "m"}


def test_what_a_dead_process_was_writing_is_marked(store: Store) -> None:
    begin(store)
    say(store)
    store.write_now(interrupt, "c1")
    assert [one.state for one in chat(store).broken] == ["interrupted"]


def test_an_ended_chat_takes_nothing_more(store: Store) -> None:
    begin(store)
    store.write_now(update_chat, "c1", state="ended", ended=5.0)
    for step in (lambda: say(store), lambda: store.write_now(again, "c1", 6.0)):
        with pytest.raises(NotPossible, match="has ended"):
            step()


def test_a_topic_is_put_aside_only_before_anything_was_said(store: Store) -> None:
    begin(store)
    say(store)
    with pytest.raises(NotPossible, match="has begun"):
        store.write_now(put_aside, "c1", 2.0)


def test_topics_count_chats_that_are_open_or_ended(store: Store) -> None:
    begin(store, "c1", "DS1", "DS2", topic="a")
    begin(store, "c2", "DS1", person=2, topic="a")
    begin(store, "c3", "DS2", topic="b")
    store.write_now(put_aside, "c3", 1.0)
    with store.connect() as connection:
        found = count_topics(connection, 1, 1)
        assert count_put_aside(connection, 1) == {"b": 1}
    assert found == {"a": 1, "b": None}


def test_a_persons_open_chat_is_found_and_nobody_elses(store: Store) -> None:
    begin(store)
    with store.connect() as connection:
        mine, other = chat_under_way(connection, 1, 1), chat_under_way(connection, 1, 2)
        assert chats_of(connection, 1) == [mine]
        assert chats_of(connection, 1, 2) == []
    assert mine is not None
    assert (mine.id, other) == ("c1", None)


def test_other_systems_are_put_into_a_chat(store: Store) -> None:
    begin(store)
    begin(store, "c2")
    store.write_now(update_chat, "c1", systems=["DS8", "DS9"])
    assert chat(store).systems == ("DS8", "DS9")
    with store.connect() as connection:
        other = find_chat(connection, "c2")
    assert other is not None
    assert other.systems == ("DS1",)


def test_the_hash_of_a_tasks_files_is_known_once_they_were_read(store: Store) -> None:
    with store.connect() as connection:
        assert task_data(connection, 1) is None
    store.write_now(lambda one: one.execute(tasks.update().values(data="abc")))
    with store.connect() as connection:
        assert (task_data(connection, 1), task_data(connection, 2)) == ("abc", None)


def test_what_answers_cost_is_added_up(store: Store) -> None:
    begin(store)
    answer(store, say(store), details={"usage": {"cost_usd": 0.25}})
    answer(store, say(store), details={"usage": {"cost_usd": 0.5}})
    with store.connect() as connection:
        assert spent_on(connection, 1) == 0.75


def test_text_that_a_database_refuses_is_replaced(store: Store) -> None:
    begin(store)
    answer(store, say(store, "a\x00b\ud800"), "c\x00")
    assert [one.text for one in chat(store).messages] == ["a\ufffdb\ufffd", "c\ufffd"]
