"""A chat becomes a conversation, or a pair whose sides share the user's turns."""

from __future__ import annotations

from dataclasses import replace

from assize.base.conversation import Conversation, Pair, Reference
from assize.formats import to_json
from assize.formats.records import parse
from assize.simulate._topics_file import Topic
from assize.web._collect.turns import record_of, turns_of
from assize.web._storage.chats import Chat, Message

SOURCE = Reference("1", "Keys", "Rotate.", {"page": "k", "cited": True})
TOPIC = Topic("keys", "rotate keys", metadata={"difficulty": "easy"})
WHOLE = {
    "model": "openai:x",
    "retrieval": "bm25-topic",
    "query": "rotate keys",
    "finish": "stop",
    "sources": 5,
    "told_topic": False,
}
ONE = Chat(
    "c1",
    1,
    1,
    TOPIC,
    ("DS3",),
    "ended",
    100.0,
    160.5,
    messages=(
        Message(0, "user", "How?"),
        Message(1, "assistant", "So [1].", references=(SOURCE,), details=WHOLE),
    ),
)
TWO = Chat(
    "c2",
    1,
    1,
    TOPIC,
    ("DS3", "DS1"),
    "ended",
    100.0,
    160.5,
    messages=(
        Message(0, "user", "How?"),
        Message(1, "assistant", "So.", "A", details={"model": "m1"}),
        Message(1, "assistant", "Thus.", "B", details={"model": "m2"}),
    ),
)


def test_one_system_gives_a_conversation_with_its_sources_and_facts() -> None:
    found = record_of(ONE, "help")
    assert isinstance(found, Conversation)
    assert (found.id, found.system) == ("c1", "DS3")
    assert found.turns[1].references == (SOURCE,)
    assert found.turns[1].extra == {"query": "rotate keys"}
    assert found.metadata == {
        "task": "help",
        "topic": "keys",
        "topic_text": "rotate keys",
        "at": "1970-01-01T00:01:40Z",
        "seconds": 60.5,
        "difficulty": "easy",
        "model": "openai:x",
        "retrieval": "bm25-topic",
        "sources": 5,
        "told_topic": False,
    }


def test_what_changed_under_way_is_named() -> None:
    later = Message(3, "assistant", "Yes.", details={**WHOLE, "model": "openai:y"})
    half = Message(5, "assistant", "N", state="interrupted", details={"error": "x"})
    more = (*ONE.messages, Message(2, "user", "Sure?"), later, Message(4, "user", "No?"), half)
    found = record_of(replace(ONE, messages=more), "help").metadata
    assert (found["model"], found["changed"]) == ("openai:y", ["model"])
    assert "changed" not in record_of(ONE, "help").metadata


def test_two_systems_give_a_pair_that_shares_the_users_turns() -> None:
    found = record_of(TWO, "help")
    assert isinstance(found, Pair)
    assert [one.text for one in found.a] == ["How?", "So."]
    assert [one.text for one in found.b] == ["How?", "Thus."]
    assert found.shared_user
    assert found.metadata["systems"] == {"A": "DS3", "B": "DS1"}
    assert found.metadata["how"]["B"] == {"model": "m2"}


def test_records_survive_the_way_through_a_file() -> None:
    for chat in (ONE, TWO):
        assert parse(to_json(record_of(chat, "help"))) == record_of(chat, "help")


def test_what_broke_off_says_so_and_what_is_empty_is_left_out() -> None:
    half = replace(ONE.messages[1], text="So", state="interrupted", references=())
    none = replace(half, text="")
    turns = turns_of(replace(ONE, messages=(ONE.messages[0], half)), "")
    assert turns[1].extra["interrupted"] is True
    assert len(turns_of(replace(ONE, messages=(ONE.messages[0], none)), "")) == 1


def test_an_assistant_sees_what_stands_before_its_answer() -> None:
    assert [one.text for one in turns_of(TWO, "B", 1)] == ["How?"]
