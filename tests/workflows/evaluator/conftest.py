"""What evaluators are trained on here: twenty conversations, and a rating of each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assize import Conversation, Judgment, JudgmentTable, Turn

GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")
Given = tuple[Sequence[Conversation], JudgmentTable]


@pytest.fixture
def given() -> Given:
    """Twenty conversations, and a rating of each."""
    items, ratings = [], []
    for number in range(20):
        good = number % 2 == 0
        asked = Turn("user", f"Question {number}: can you help me?")
        answered = Turn("assistant", (GOOD if good else BAD)[number % 3])
        items.append(Conversation(str(number), (asked, answered)))
        ratings.append(Judgment(str(number), "ann", "nice", score=5.0 * good, kind="person"))
    return items, JudgmentTable.of(ratings)
