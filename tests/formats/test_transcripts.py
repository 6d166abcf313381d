from __future__ import annotations

import re

from assize.formats.transcripts import split_at_marks

SPEAKER = re.compile(r"(?m)^(\w+): ")


def test_a_part_goes_up_to_the_next_mark() -> None:
    parts = split_at_marks("\nUser: Hi\nthere\nBot: Hello", SPEAKER)
    assert [(mark[1], text) for mark, text in parts] == [("User", "Hi\nthere\n"), ("Bot", "Hello")]


def test_there_are_no_parts_where_something_stands_before_the_first() -> None:
    assert split_at_marks("Hello\nUser: Hi", SPEAKER) == split_at_marks("Hi", SPEAKER) == []
