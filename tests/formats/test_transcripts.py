from __future__ import annotations

import re

import pytest

from assize.formats.transcripts import (
    find_labels,
    is_transcript,
    split_at_marks,
    split_transcript,
)

SPEAKER = re.compile(r"(?m)^(\w+): ")


def test_a_part_goes_up_to_the_next_mark() -> None:
    parts = split_at_marks("\nUser: Hi\nthere\nBot: Hello", SPEAKER)
    assert [(mark[1], text) for mark, text in parts] == [("User", "Hi\nthere\n"), ("Bot", "Hello")]


def test_there_are_no_parts_where_something_stands_before_the_first() -> None:
    assert split_at_marks("Hello\nUser: Hi", SPEAKER) == split_at_marks("Hi", SPEAKER) == []


def test_a_turn_begins_with_a_speaker_and_keeps_its_lines() -> None:
    text = "**User:** Hi\n\nAssistant :\nHello,\nNote: closed today.\n  BOT: Bye\n"
    assert split_transcript(text) == [
        {"role": "User", "text": "Hi"},
        {"role": "Assistant", "text": "Hello,\nNote: closed today."},
        {"role": "BOT", "text": "Bye"},
    ]
    assert split_transcript(text, ["note"])[2] == {"role": "Note", "text": "closed today."}


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("[10:03] Agent: x", "10:03"),
        ("(9:03:22 PM) Agent: x", "9:03:22 PM"),
        ("12/05/2024, 10:03 - Agent: x", "12/05/2024, 10:03"),
        ("[2024-05-01T10:03:22Z] Agent: x", "2024-05-01T10:03:22Z"),
        ("Agent (10:03): x", "10:03"),
    ],
)
def test_a_time_beside_the_speaker_is_kept(line: str, time: str) -> None:
    messages = split_transcript(f"Customer: Hi\n{line}")
    assert messages[1] == {"role": "Agent", "text": "x", "time": time}


def test_words_of_ordinary_text_begin_a_turn_only_where_the_text_begins_with_them() -> None:
    asked = split_transcript("User: My phone:\nModel: X200\nSystem: 14")
    assert asked == [{"role": "User", "text": "My phone:\nModel: X200\nSystem: 14"}]
    messages = split_transcript("System: Be kind.\nUser: Hi\nModel: Hello")
    assert [message["role"] for message in messages] == ["System", "User"]
    assert split_transcript("System: x\nUser: Hi\nModel: Hello", ["model"])[2]["text"] == "Hello"


def test_what_stands_before_the_first_speaker_has_no_role() -> None:
    assert split_transcript("Chat of 3 May\nUser: Hi")[0] == {"text": "Chat of 3 May"}
    assert split_transcript("Hello there") == []


def test_labels_are_names_and_neither_times_nor_addresses() -> None:
    text = "Ann (Agent): Hi\n10:03 Ben: Yes\nOpen 9:30\nhttps://example.org\nAnn (Agent): Bye"
    assert find_labels(text) == ["Ann (Agent)", "Ben"]
    assert split_transcript(text, ["ann (agent)", "ben"])[1]["role"] == "Ben"


def test_a_transcript_has_two_speakers_of_whom_one_begins() -> None:
    assert is_transcript("Human: Hi\nAI: Hello")
    assert not is_transcript("Look:\nHuman: Hi\nAI: Hello")
    assert not is_transcript("User: Hi\nUser: Hello?")
    assert not is_transcript("Client: Hi\nAgent: Hello")
    assert is_transcript("Client: Hi\nAgent: Hello", ["client"])


def test_long_texts_are_split_in_linear_time() -> None:
    for text in ("1" * 200_000, " " * 200_000, "\n[1.1.1 " * 50_000, "A" + " " * 200_000):
        assert split_transcript(text) == []
        assert find_labels(text) == []
