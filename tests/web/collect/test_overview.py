"""How far a collection is."""

from __future__ import annotations

from typing import Any

from assize.simulate._topics_file import Topic
from assize.web._collect.opened import topics_of
from assize.web._collect.overview import overview
from assize.web._collect.settings import collect_settings
from assize.web._storage import Store
from assize.web._storage.chats import (
    Chat,
    Message,
    insert_chat,
    keep_answer,
    put_aside,
    take_message,
    update_chat,
)
from assize.web._tasks.definition import Task


def talk(store: Store, id: str, person: int, topic: str, *systems: str, **answer: Any) -> None:
    chat = Chat(id, 1, person, Topic(topic, f"about {topic}"), systems, "open", 1.0)
    store.write_now(insert_chat, chat)
    if answer:
        store.write_now(take_message, id, "How?", 2.0)
        for side in chat.sides:
            store.write_now(keep_answer, id, Message(1, "assistant", "So.", side, **answer))


def test_systems_and_topics_are_counted(store: Store, task: Task) -> None:
    paid = {"details": {"usage": {"cost_usd": 0.25}}}
    talk(store, "a", 1, "keys", "DS1", "gone", **paid)
    talk(store, "b", 2, "keys", "DS1", state="interrupted", details={"error": "x"})
    talk(store, "c", 2, "vaults", "DS1")
    store.write_now(put_aside, "c", 3.0)
    store.write_now(update_chat, "a", state="ended", ended=4.0)
    found = store.read_now(overview, 1, collect_settings(task), topics_of(task))
    first, gone = found["systems"]
    assert [first[name] for name in ("name", "ended", "open")] == ["DS1", 1, 1]
    assert [first[name] for name in ("answers", "interrupted", "cost")] == [2, 1, 0.25]
    assert gone["cost"] == 0.25
    assert [gone[name] for name in ("name", "model", "answers")] == [
        "gone",
        "no longer in the task",
        1,
    ]
    assert [
        (row["id"], row["ended"], row["open"], row["put_aside"]) for row in found["topics"]
    ] == [
        ("keys", 1, 1, 0),
        ("vaults", 0, 0, 1),
    ]
    assert (found["ended"], found["open"], found["raters"]) == (1, 1, 1)


def test_a_price_that_is_not_known_makes_no_sum(store: Store, task: Task) -> None:
    talk(store, "a", 1, "keys", "DS1", details={"usage": {"cost_usd": 0.25}})
    talk(store, "b", 1, "keys", "DS1", details={"usage": {"cost_usd": None}})
    found = store.read_now(overview, 1, collect_settings(task), topics_of(task))
    assert found["systems"][0]["cost"] is None
