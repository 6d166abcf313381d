from __future__ import annotations

import pytest

from assize.base.judgment import Question
from assize.formats.ratings.headers import (
    asked,
    asks_nothing,
    columns_of,
    grid,
    looks_asked,
    meaning,
)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("Conversation ID", "item"),
        ("Which chat did you rate? (chat number)", "item"),
        ("DIALOGUE-ID:", "item"),
        ("Email Address", "rater"),
        ("Your initials", "rater"),
        ("Rater's name", "rater"),
        ("Criterion", "question"),
        ("Rating", "answer"),
        ("Q1", None),
        ("Case notes", None),
    ],
)
def test_what_a_column_names(header: str, said: str | None) -> None:
    assert meaning(header) == said


def test_the_surest_name_comes_first() -> None:
    found = columns_of(["conversation", "id", "Item", "Name", "Rater"])
    assert found["item"] == ["Item", "id", "conversation"]
    assert found["rater"] == ["Rater", "Name"]


def test_questions_by_number_words_and_definition() -> None:
    known = {one.id: one for one in (Question("clear", "Is it clear?"), Question("Q7"))}
    assert asked("Q1 - Was it good?", {})[:3] == ("Q1", "Was it good?", None)
    assert asked("q7) What else?", known).id == "Q7"
    assert asked("is it  CLEAR?", known)[:3] == ("clear", "", None)
    assert asked("Please rate [tone]", {}).id == "tone"
    assert asked("Was it safe? *", {}).id == "Was it safe?"


def test_times_texts_and_comments_ask_nothing() -> None:
    assert all(map(asks_nothing, ["Timestamp", "transcript", "Any other comments?", "", "URL"]))
    assert not asks_nothing("tone")


def test_what_looks_like_a_question() -> None:
    assert all(map(looks_asked, ["Q3", "Was it?", "clarity", "Rate [c1]", "2. Fine"]))
    assert not any(map(looks_asked, ["ann", "Ben", "rater 2"]))
    assert grid("ann") is None
