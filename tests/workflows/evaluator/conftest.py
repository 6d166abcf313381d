"""What evaluators are trained on here: twenty conversations, and a rating of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from assize import Conversation, Judgment, JudgmentTable, Pair, Turn
from assize.formats.records import judgment
from assize.judgment import PREFERENCE

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


@pytest.fixture
def voted() -> tuple[list[Pair], JudgmentTable]:
    """Forty pairs of a good and a bad answer, and the votes of three judges in both orders."""
    rng = np.random.default_rng(0)
    pairs, votes = [], []
    for number in range(40):
        asked = Turn("user", f"Question {number}: can you help me?")
        better = "AB"[number % 2]
        good, bad = GOOD[number % 3], BAD[number % 3]
        first, second = (good, bad) if better == "A" else (bad, good)
        sides = [(Turn("assistant", text),) for text in (first, second)]
        pairs.append(Pair(f"p{number}", (asked,), sides[0], sides[1]))
        for judge, rate in (("ann", 0.9), ("bob", 0.8), ("gold", 1.0)):
            for order in ("AB", "BA"):
                other = "B" if better == "A" else "A"
                answer = better if rng.random() < rate else other
                row = {"item": f"p{number}", "judge": judge, "question": "preference"}
                votes.append(judgment({**row, "answer": answer, "order": order}))
    return pairs, JudgmentTable.of(votes, [PREFERENCE])
