"""The tables of people: in the shape of the paper's, with figures by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.reference.study.examples import column, data_of, ratings, simulated

from assize.reference.study.run import Settings, study
from assize.reference.study.studied import ReferenceStudy
from assize.results import ResultTable

QUICK = Settings(learners=("linear",), permutations=200)
FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)
ITEMS = (
    [1, 1, 1, 1, 1],
    [5, 5, 5, 5, 5],
    [2, 2, 2, 2, 3],
    [4, 4, 4, 1, 2],
    [5, 5, 1, 2, 3],
    [1, 1, 2, 2, 3],
)


@cache
def by_hand() -> ReferenceStudy:
    people = ratings(*ITEMS, answers=FIVE)
    likert = replace(column([1, 1, 2, 4, 5, 1], "ordinal", FIVE), name="likert", group="Others")
    data = replace(
        data_of(people, column([1, 5, 2, 4, 5, 3]), likert), sources=np.array(list("xxyyyy"))
    )
    return study([data], replace(QUICK, learners=()))


def cells(table: ResultTable) -> list[tuple[str, ...]]:
    return [
        tuple(column.shown(cell)[0] for column, cell in zip(table.columns, row, strict=True))
        for row in table.rows
    ]


def test_table_5_has_people_and_judges_by_exclusive_level() -> None:
    table = by_hand().tables["accuracy content"]
    assert [one.name for one in table.columns] == [
        "level",
        "items",
        "people",
        "one by the others",
        "likert",
    ]
    assert cells(table) == [
        ("plurality", "1", "0.40", "", "1.00"),
        ("majority", "2", "0.70", "", "1.00"),
        ("perfect", "2", "1.00", "", "0.50"),
        ("any", "5", "0.76", "0.57", "0.80"),
    ]


def test_peoples_own_figure_is_taken_apart() -> None:
    assert cells(by_hand().tables["people content"]) == [
        ("plurality", "2 of 5", "1", "0.40"),
        ("majority", "3 of 5", "1", "0.60"),
        ("majority", "4 of 5", "1", "0.80"),
        ("perfect", "5 of 5", "2", "1.00"),
    ]


def test_figure_7_keeps_nested_shares() -> None:
    (row,) = cells(by_hand().tables["kept"])
    assert row == ("content", "6", "83.3%", "66.7%", "33.3%", "0")


def test_figure_1_has_a_row_a_source() -> None:
    # x: 5 * 1 + 5 * 5 of 50; y: 11 + 15 + 16 + 9 of 100
    table = by_hand().tables["aggregate"]
    assert [(row[0], row[1].estimate) for row in table.rows] == [
        ("x", pytest.approx(0.6)),
        ("y", pytest.approx(0.51)),
        ("all", pytest.approx(0.54)),
    ]


def test_figure_12_has_a_column_an_answer() -> None:
    table = by_hand().tables["answers content"]
    assert cells(table)[0] == ("x", "10", "50.0%", "0.0%", "0.0%", "0.0%", "50.0%")


def test_table_4_has_kappa_and_alpha_by_source() -> None:
    table = by_hand().tables["agreement"]
    assert [row[:3] for row in table.rows] == [
        ("content", "x", 2),
        ("content", "y", 4),
        ("content", "all", 6),
    ]
    assert table.rows[0][3].estimate == pytest.approx(1.0)


def test_table_12_has_a_change_beside_every_level() -> None:
    table = study([simulated(conversations=10)[0]], QUICK).tables["levels"]
    assert [one.name for one in table.columns] == [
        "metric",
        "target",
        "figure",
        "means",
        "all",
        "plurality",
        "Δ% plu.",
        "majority",
        "Δ% maj.",
        "perfect",
        "Δ% per.",
    ]
    assert {row[0] for row in table.rows} >= {"strong", "likert", "yes-no", "best metric", "linear"}
    for row in table.rows:
        for before, after, change in ((4, 5, 6), (5, 7, 8), (7, 9, 10)):
            low, high = row[before].estimate, row[after].estimate
            if low > 0 and high > 0:
                assert row[change] == pytest.approx(100 * (high / low - 1))


def test_a_level_that_nobody_reaches_is_a_dash() -> None:
    people = ratings([1, 1, 1], [5, 5, 5], [3, 3, 3], answers=FIVE)
    likert = column([1, 5, 3], "ordinal", FIVE)
    table = study([data_of(people, likert)], replace(QUICK, learners=())).tables["accuracy content"]
    assert cells(table)[0] == ("plurality", "0", "–", "", "–")
