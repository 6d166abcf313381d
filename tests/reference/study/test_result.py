"""The result of a study: what can be asked of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from tests.reference.study.examples import (
    FIVE,
    ITEMS,
    NAN,
    QUICK,
    column,
    data_of,
    ratings,
    studied,
)

from assize.reference._study.result import ReferenceStudy
from assize.reference._study.run import study
from assize.results import ResultTable


def test_rows_are_by_target_and_the_sentence_says_what_is_closest_to_people() -> None:
    for rows in (studied().rated, studied().best):
        assert [row.target for row in rows] == studied().targets
    assert studied().sentence.startswith(
        "Simulated data. Of the metrics strong is closest to people's content (r = 0."
    )
    assert "; of the ensembles linear (r = 0." in studied().sentence


def test_missing_values_of_metrics_are_counted() -> None:
    people = ratings([1, 2], [2, 3], [3, 3])
    assert study([data_of(people)], QUICK).missing == (0, 0)
    (data,) = studied().sets
    assert len(data.columns) == 6
    assert studied().missing == (0, 6 * len(data))
    lacking = column([0.5, NAN, 0.25])
    assert study([data_of(people, lacking)], QUICK).missing == (1, 3)


def test_it_prints_its_tables_and_its_signature() -> None:
    text = str(studied())
    assert "Agreement with people on content" in text
    assert text.rstrip().endswith(studied().signature)
    assert "<table" in studied()._repr_html_()


def test_ensembles_say_what_they_were_trained_on() -> None:
    figures = studied().to_json()["figures"]
    fitted = [row for row in figures if row["target"] == "content" and "trained_on" in row]
    assert [
        (row["metric"], row["trained_on"], row["cross_validated"], row["unit"]) for row in fitted
    ] == [
        ("best metric", "all", True, "ratings"),
        ("best metric", "all", True, "items"),
        ("linear", "all", True, "ratings"),
        ("linear", "all", True, "items"),
    ]
    (gain,) = [row for row in studied().gains if row.target == "content"]
    assert (gain.ensemble, gain.trained_on) == ("linear", None)
    assert gain.relative_gain > 0


@cache
def by_hand() -> ReferenceStudy:
    people = ratings(*ITEMS, answers=FIVE)
    likert = replace(column([1, 1, 2, 4, 5, 1], "ordinal", FIVE), name="likert", group="Others")
    data = replace(
        data_of(people, column([1, 5, 2, 4, 5, 3]), likert), sources=np.array(list("xxyyyy"))
    )
    return study([data], replace(QUICK, learners=()))


def cells(table: ResultTable) -> list[tuple[str, ...]]:
    """The texts of a table's rows, without the target and what belongs to none of them."""
    columns = [
        place
        for place, column in enumerate(table.columns)
        if column.name not in ("target", "data") and not column.extra
    ]
    return [
        tuple(table.columns[place].shown(row[place])[0] for place in columns) for row in table.rows
    ]


def test_table_5_has_people_and_judges_by_exclusive_level() -> None:
    table = by_hand().tables["accuracy"]
    assert [column.name for column in table.columns][1:] == [
        "level",
        "items",
        "people",
        "one by the others",
        "likert",
    ]
    assert cells(table) == [
        ("plurality", "1", "0.40 (1)", "", "1.00 (1)"),
        ("majority", "2", "0.70 (2)", "", "1.00 (2)"),
        ("perfect", "2", "1.00 (2)", "", "0.50 (2)"),
        ("any", "5", "0.76 (5)", "0.57 (6)", "0.80 (5)"),
    ]


def test_figure_7_keeps_nested_shares() -> None:
    assert cells(by_hand().tables["kept"]) == [
        ("2 (33.3%)", "4 (66.7%)", "5 (83.3%)", "6", "0"),
    ]


def test_figure_1_and_table_4_have_a_row_a_source() -> None:
    # x: 5 * 1 + 5 * 5 of 50; y: 11 + 15 + 16 + 9 of 100
    rows = by_hand().sources
    assert [(row.source, row.items) for row in rows] == [("x", 2), ("y", 4), ("all", 6)]
    assert [row.aggregate.estimate for row in rows] == pytest.approx([0.6, 0.51, 0.54])
    assert rows[0].fleiss_kappa.estimate == pytest.approx(1.0)


def test_figure_12_has_a_column_an_answer() -> None:
    table = by_hand().tables["answers"]
    assert [column.name for column in table.columns][1:] == ["source", "ratings", *"12345"]
    assert cells(table)[0] == ("x", "10", "5", "0", "0", "0", "5")


def test_table_12_has_a_change_against_the_level_before_in_percent() -> None:
    named = {"strong", "likert", "yes-no", "best metric", "linear"}
    assert {row.metric for row in studied().levels} >= named
    for row in studied().levels:
        levels = [row.plurality.estimate, row.majority.estimate, row.perfect.estimate]
        changes = (row.majority_change, row.perfect_change)
        for (low, high), change in zip(pairwise(levels), changes, strict=True):
            if low > 0 and high > 0:
                assert change == pytest.approx(100 * (high / low - 1))


def test_a_level_that_nobody_reaches_is_a_dash() -> None:
    people = ratings([1, 1, 1], [5, 5, 5], [3, 3, 3], answers=FIVE)
    likert = column([1, 5, 3], "ordinal", FIVE)
    table = study([data_of(people, likert)], replace(QUICK, learners=())).tables["accuracy"]
    assert cells(table)[0][:2] == ("plurality", "0")
    assert [cell.partition(" ")[0] for cell in cells(table)[0][2:5]] == ["–", "", "–"]
