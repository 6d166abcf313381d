"""Responses that say the same."""

from __future__ import annotations

import pytest

from assize.conversation import Conversation, Pair, Turn
from assize.judging.identical import identical, tied
from assize.judging.judge import JudgeContext, Task
from assize.judging.table import open_judge
from assize.models import Models


def side(*texts: str) -> tuple[Turn, ...]:
    return tuple(Turn("assistant", text) for text in texts)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (side("x"), side(" x\n"), True),
        (side("x"), side("X"), False),
        (side("x", "y"), side("x"), False),
        (side("x"), (Turn("user", "x"),), False),
        ((), (), True),
    ],
)
def test_blanks_at_the_ends_do_not_count_and_all_else_does(
    a: tuple[Turn, ...], b: tuple[Turn, ...], same: bool
) -> None:
    assert identical(Pair("p", (), a, b)) is same


def test_only_a_pair_can_be_identical() -> None:
    assert not identical(Conversation("c", side("x")))


def test_a_tie_stands_on_every_question_without_a_call() -> None:
    judge = open_judge("dimensions@scripted:any", JudgeContext(Models()))
    rows = tied(judge, Task(Pair("p", (), side("x"), side("x")), "BA", 2))
    assert [row.question for row in rows] == [one.id for one in judge.questions]
    assert {(row.answer, row.order, row.repeat, row.attempts) for row in rows} == {
        ("tie", "BA", 2, 0)
    }
