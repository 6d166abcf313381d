"""One value a judge and unit, of all its judgments."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judgments.conftest import BETTER, KINDS, LIKERT, judgments

from assize.base.judgment import PREFERENCE, Judgment, Order, Question, Unscored
from assize.judgments import JudgmentTable
from assize.judgments.combine import agreed_vote, combine, joined, unit_means

ORDERS: dict[str, Order | None] = {"1": "AB", "2": "BA", "-": None}


def cast(*said: str, judge: str = "j", item: str = "p") -> list[Judgment]:
    """Votes such as `A1` (A, shown AB), `t2` (a tie, shown BA), `x1` (unscored), `n1` (NA)."""
    found = []
    for at, one in enumerate(said):
        letter, order = one[0], one[1]
        answer = {"t": "tie", "n": "NA", "x": None}.get(letter, letter)
        missing = Unscored("refused") if letter == "x" else None
        found.append(
            Judgment(
                item,
                judge,
                "preference",
                answer=answer,
                order=ORDERS[order],
                repeat=at,
                unscored=missing,
            )
        )
    return found


@pytest.mark.parametrize(
    ("said", "value", "split"),
    [
        (("A1", "A2"), 1, False),
        (("A1", "B2"), 0, True),
        (("A1", "t2"), 0, True),  # differing votes are a tie, for everyone
        (("t1", "t2"), 0, False),
        (("A1", "x2"), None, False),  # half an answer
        (("A1", "n2"), None, False),
        (("A1", "A1", "B1", "A2"), 1, False),  # repeats first: the majority
        (("A1", "B1", "A2"), 0, True),  # no majority among repeats is a tie
        (("A1", "x1", "A2"), 1, False),  # the other repeat stands for the order
        (("A-",), 1, False),
        (("x-",), None, False),
    ],
)
def test_repeats_first_then_both_orders(
    said: tuple[str, ...], value: float | None, split: bool
) -> None:
    rows = cast(*said)
    found = combine(JudgmentTable.of(rows, [PREFERENCE]), PREFERENCE)
    expected = math.nan if value is None else value
    assert found.values.tolist() == pytest.approx([expected], nan_ok=True)
    assert found.split.tolist() == [split]
    assert agreed_vote(rows) == (None if value is None else {1: "A", 0: "tie"}[int(value)])


def test_a_judge_that_showed_any_pair_in_both_orders_must_show_all() -> None:
    rows = [*cast("A1", "A2"), *cast("A1", item="q"), *cast("A1", item="q", judge="once")]
    found = combine(JudgmentTable.of(rows), PREFERENCE)
    by_cell = dict(zip(zip(found.judge, found.unit, strict=True), found.values, strict=True))
    assert found.judges == ("j", "once")
    assert np.isnan(by_cell[0, 1])
    assert by_cell[1, 1] == 1
    assert found.unscored.tolist() == [False, True, False]
    assert found.expected.tolist() == [2, 1]


def test_the_mean_of_votes_takes_what_is_there() -> None:
    rows = [*cast("A1", "t2"), *cast("A1", "x2", item="q"), *cast("A1", "B2", item="r")]
    found = combine(JudgmentTable.of(rows), PREFERENCE, "mean")
    assert found.values.tolist() == [1, 1, 0]
    assert found.split.tolist() == [False, False, True]


def test_na_is_not_applicable_and_a_failure_is_unscored() -> None:
    rows = [
        *cast("n-", item="na"),
        *cast("x-", item="failed"),
        Judgment("odd", "j", "preference", answer="C"),
    ]
    found = combine(JudgmentTable.of(rows, [PREFERENCE]), PREFERENCE)
    assert found.not_applicable.tolist() == [True, False, False]
    assert found.unscored.tolist() == [False, True, True]


def test_numbers_are_the_mean_over_orders_of_the_mean_over_repeats() -> None:
    rows = [
        Judgment("i", "j", "likert", score=score, order=order, repeat=at)  # type: ignore[arg-type]
        for at, (score, order) in enumerate([(1.0, "AB"), (3.0, "AB"), (6.0, "BA")])
    ]
    # (1 + 3) / 2 = 2 in one order, 6 in the other: 4
    assert combine(JudgmentTable.of(rows, [LIKERT]), LIKERT).values.tolist() == [4.0]


def test_nominal_answers_are_the_most_frequent_one() -> None:
    rows = [Judgment("i", "j", "kinds", answer=a, repeat=n) for n, a in enumerate("yyx")]
    rows += [Judgment("k", "j", "kinds", answer=a, repeat=n) for n, a in enumerate("yx")]
    found = combine(JudgmentTable.of(rows, [KINDS]), KINDS)
    assert np.array_equal(found.values, [1, np.nan], equal_nan=True)
    assert found.split.tolist() == [False, True]


@given(st.lists(judgments((BETTER,)), min_size=1, max_size=12))
def test_rows_vote_as_columns_do_where_no_order_is_missing(rows: list[Judgment]) -> None:
    found = combine(JudgmentTable.of(rows, [BETTER]), BETTER)
    signs = {"A": 1.0, "tie": 0.0, "B": -1.0}
    for at, (judge, unit) in enumerate(zip(found.judge, found.unit, strict=True)):
        mine = [row for row, cell in zip(rows, found.cell, strict=True) if cell == at]
        assert {(row.judge, (row.item, row.turn)) for row in mine} == {
            (found.judges[judge], found.units[unit])
        }
        if len({row.order for row in mine}) == found.expected[judge]:
            vote = agreed_vote(mine)
            expected = math.nan if vote is None else signs[vote]
            assert found.values[at] == pytest.approx(expected, nan_ok=True)


@given(st.lists(judgments((BETTER,)), min_size=1, max_size=12), st.randoms())
def test_the_order_of_rows_does_not_matter(rows: list[Judgment], random: object) -> None:
    def by_name(given: list[Judgment]) -> dict[tuple[object, ...], float | None]:
        found = combine(JudgmentTable.of(given, [BETTER]), BETTER)
        cells = zip(found.judge, found.unit, found.values.tolist(), strict=True)
        return {
            (found.judges[judge], found.units[unit]): None if math.isnan(value) else value
            for judge, unit, value in cells
        }

    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert by_name(rows) == by_name(shuffled)


def test_several_judges_are_joined_by_mean_sign_or_frequency() -> None:
    values = np.array([[1.0, 1.0, np.nan], [0.0, -1.0, np.nan]])
    assert np.array_equal(joined(values, BETTER)[0], [1, 0, np.nan], equal_nan=True)
    assert joined(values, BETTER)[1].tolist() == [False, True, False]
    assert np.array_equal(joined(values, LIKERT)[0], [0.5, 0, np.nan], equal_nan=True)
    assert np.array_equal(joined(np.abs(values), KINDS)[0], [np.nan, 1, np.nan], equal_nan=True)


def test_unit_means_are_everybodys_higher_being_better() -> None:
    worse = Question("q", kind="number", higher="worse")
    rows = [Judgment("i", judge, "q", score=score) for judge, score in (("a", 1.0), ("b", 3.0))]
    rows.append(Judgment("k", "a", "q", unscored=Unscored("parse")))
    found = unit_means(JudgmentTable.of(rows, [worse]), worse)
    assert found["i", None] == -2.0
    assert math.isnan(found["k", None])
