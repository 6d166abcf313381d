"""What a conversation was given, and what it is one of."""

from __future__ import annotations

from dataclasses import replace

from tests.versions.two_versions import chats_of, two_versions

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.formats.sampling import first_words, prompt_of
from assize.versions.version import cluster_of

USER, REPLY = Turn("user", "What  now?\n"), Turn("assistant", "Wait.")


def test_the_prompt_is_the_first_user_turn_or_the_context() -> None:
    system = Turn("system", "Version 7 of the instructions.")
    assert prompt_of(Conversation("c", (system, USER, REPLY, Turn("user", "And?")))) == "What now?"
    assert prompt_of(Conversation("c", (REPLY,))) == ""
    assert prompt_of(Pair("p", (USER,), (REPLY,), (REPLY,))) == "user: What now?"
    assert prompt_of(Pair("p", (), (USER, REPLY), (USER,))) == "What now?"
    assert prompt_of(Continuation("k", (USER, REPLY), "Go.")) == "user: What now?\nassistant: Wait."


def test_turns_of_one_conversation_belong_together() -> None:
    assert cluster_of(Continuation("k", (USER,), "Go.", conversation="c1")) == "c1"
    assert cluster_of(Pair("p", (USER,), (), (), metadata={"conversation": 4})) == "4"
    assert cluster_of(Conversation("c", (USER,))) is None


def test_a_conversation_begins_with_the_first_words_of_a_user() -> None:
    old, _ = two_versions(3)
    long = replace(chats_of(old)["c1"], turns=(Turn("user", "word " * 200),))
    assert first_words(old.items["c1"]) == "Question 1?"
    assert len(first_words(long, 160)) == 161
    assert first_words(None) == ""
