"""What is kept of chats, and in which order things may happen."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection

from assize.base.conversation import Reference
from assize.simulate._topics_file import Topic
from assize.web._storage import Store
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
    keep_answer,
    put_aside,
    spent_on,
    take_message,
    task_data,
    update_chat,
)
from assize.web._storage.schema import people, tasks

SOURCE = Reference("1", "Keys", "Rotate.", {"page": "k"})


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
    found = store.read_now(find_chat, id)
    assert found is not None
    return found


@pytest.fixture
def store(either_store: Store) -> Store:
    """A database of each kind, with two people and a task whose numbers are 1 and 2, 1."""
    names = [{"id": 1, "name": "ann"}, {"id": 2, "name": "ben"}]

    def fill(connection: Connection) -> None:
        connection.execute(people.insert().values(role="rater", created=0.0), names)
        connection.execute(tasks.insert().values(id=1, name="help", kind="collect", version=1))

    either_store.write_now(fill)
    return either_store


def test_a_message_is_kept_before_its_answer_is_there_with_its_sources_and_details(
    store: Store,
) -> None:
    begin(store)
    place = say(store)
    assert place == 1
    assert [(one.role, one.text, one.state) for one in chat(store).messages] == [
        ("user", "How?", "whole"),
        ("assistant", "", "writing"),
    ]
    assert chat(store).busy
    answer(store, place, references=(SOURCE,), details={"model": "m"}, at=2.0)
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
    assert store.read_now(count_topics, 1, 1) == {"a": 1, "b": None}
    assert store.read_now(count_put_aside, 1) == {"b": 1}


def test_a_persons_open_chat_is_found_and_nobody_elses(store: Store) -> None:
    begin(store)
    assert store.read_now(chat_under_way, 1, 1) == chat(store)
    assert store.read_now(chat_under_way, 1, 2) is None
    assert store.read_now(chats_of, 1) == [chat(store)]
    assert store.read_now(chats_of, 1, 2) == []


def test_the_hash_of_a_tasks_files_is_known_once_they_were_read(store: Store) -> None:
    assert store.read_now(task_data, 1) is None
    store.write_now(lambda one: one.execute(tasks.update().values(data="abc")))
    assert [store.read_now(task_data, number) for number in (1, 2)] == ["abc", None]


def test_what_answers_cost_is_added_up(store: Store) -> None:
    begin(store)
    answer(store, say(store), details={"usage": {"cost_usd": 0.25}})
    answer(store, say(store), details={"usage": {"cost_usd": 0.5}})
    assert store.read_now(spent_on, 1) == 0.75


def test_text_that_a_database_refuses_is_replaced(store: Store) -> None:
    begin(store)
    answer(store, say(store, "a\x00b\ud800"), "c\x00")
    assert [one.text for one in chat(store).messages] == ["a\ufffdb\ufffd", "c\ufffd"]
