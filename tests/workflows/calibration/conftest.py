"""A model's answers about 60 items, two raters, and what was fitted on them."""

from __future__ import annotations

import numpy as np
import pytest

import assize
from assize import Conversation, FittedCalibrator, Judgment, JudgmentTable, Question, Turn

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)
COUNT = 60


@pytest.fixture(scope="session")
def said() -> JudgmentTable:
    """Answers of a model to both questions, the same distribution for both."""
    rng = np.random.default_rng(0)
    rows = []
    for n in range(COUNT):
        shares = dict(zip(ANSWERS, rng.dirichlet(np.ones(4)).tolist(), strict=True))
        rows += [
            Judgment(f"i{n}", "m", one.id, distribution=shares, kind="model") for one in QUESTIONS
        ]
    return JudgmentTable.of(rows, QUESTIONS)


@pytest.fixture(scope="session")
def rated(said: JudgmentTable) -> JudgmentTable:
    """Ratings by ann, and by bob, who always says one less; one NA by eve."""
    rng = np.random.default_rng(1)
    rows = []
    for row in said:
        best = int(rng.choice(4, p=list((row.distribution or {}).values()))) + 1
        for name, answer in (("ann", best), ("bob", max(1, best - 1))):
            rows.append(Judgment(row.item, name, row.question, answer=str(answer), kind="person"))
    rows.append(Judgment("i0", "eve", "Q0", answer="NA", kind="person"))
    return JudgmentTable.of(rows, QUESTIONS)


@pytest.fixture(scope="session")
def chats() -> list[Conversation]:
    """The conversations, every other one German, by three systems."""
    turns = (Turn("user", "hello"), Turn("assistant", "hi"))
    return [
        Conversation(f"i{n}", turns, f"s{n % 3}", {"language": ("de", "en")[n % 2]})
        for n in range(COUNT)
    ]


@pytest.fixture(scope="session")
def fitted(said: JudgmentTable, rated: JudgmentTable) -> FittedCalibrator:
    """A calibrator of Q0."""
    return assize.fit_calibrator(said, rated, target="Q0")


@pytest.fixture(scope="session")
def other(said: JudgmentTable, rated: JudgmentTable) -> FittedCalibrator:
    """A calibrator of Q1."""
    return assize.fit_calibrator(said, rated, target="Q1")
