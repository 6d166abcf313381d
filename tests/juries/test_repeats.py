"""Repeats taken apart: each judge's answers as one run has them."""

from __future__ import annotations

import pytest
from tests.juries.conftest import vote

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Order
from assize.judgments import JudgmentTable
from assize.juries import Cascade
from assize.juries.decide import decide
from assize.juries.repeats import of_repeat, repeats_of, runs_of

ORDERS: tuple[Order, Order] = ("AB", "BA")
TABLE = JudgmentTable.of(
    [
        *(
            vote("p1", "da", answer, order, repeat)
            for repeat, said in enumerate(("AA", "BB", "BB"))
            for order, answer in zip(ORDERS, said, strict=True)
        ),
        *(vote("p1", "maxim", "B", order, repeat) for repeat in (0, 1) for order in ORDERS),
        vote("p1", "reward", "B", None),
        Judgment("p1", "gold", "preference", answer="A"),
    ]
)


def test_who_was_asked_how_often_is_told_without_gold() -> None:
    assert repeats_of(TABLE) == {"da": (0, 1, 2), "maxim": (0, 1), "reward": (0,)}
    assert runs_of(repeats_of(TABLE)) == (0, 1)
    assert runs_of(repeats_of(TABLE.where(judge="reward"))) == ()


def test_a_run_has_one_repeat_of_each_and_all_of_who_was_asked_once() -> None:
    # pooled, the majority of three repeats says B in both orders; the first said A
    jury = Cascade(("da",))
    assert decide(TABLE, jury).outcome.verdicts.answers[0] == "B"
    assert decide(of_repeat(TABLE, 0), jury).outcome.verdicts.answers[0] == "A"
    run = of_repeat(TABLE, 1)
    assert repeats_of(run) == {"da": (1,), "maxim": (1,), "reward": (0,)}
    assert "gold" in run.judges


def test_a_repeat_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(DataError, match="no repeat 2 of maxim: da has 0, 1, 2; maxim has 0, 1"):
        of_repeat(TABLE, 2)
    with pytest.raises(DataError, match="no repeat 1 of any judge: reward has 0"):
        of_repeat(TABLE.where(judge="reward"), 1)


def test_a_table_of_a_single_run_under_its_own_number_is_that_run() -> None:
    alone = TABLE.where(repeat=1)
    assert len(of_repeat(alone, 1)) == len(alone)
