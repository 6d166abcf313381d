from __future__ import annotations

import pytest

from assize.results import Column, ResultTable
from assize.stats import Estimate
from assize.web._monitor.shown import Sort, as_csv, as_json, shown, sorted_by

NAN = float("nan")
TABLE = ResultTable(
    "Raters",
    [
        Column("Rater"),
        Column("n", "count"),
        Column("Alpha", "number", digits=2, ends="below"),
        Column("Note"),
    ],
    [
        ("bob", 3, Estimate(0.5, (0.25, 0.75), 12), None),
        ("=ann", 9, Estimate(NAN, n=1), None),
        ("cy", 5, Estimate(0.75, (0.5, 1.0), 8), None),
    ],
    ["A note."],
)


def names(table: ResultTable) -> list[str]:
    return [row[0] for row in table.rows]


def test_a_table_is_sorted_by_a_column_either_way_and_nothing_comes_last() -> None:
    assert names(sorted_by(TABLE, Sort("raters", 2))) == ["bob", "cy", "=ann"]
    assert names(sorted_by(TABLE, Sort("raters", 2, down=True))) == ["cy", "bob", "=ann"]
    assert names(sorted_by(TABLE, Sort("raters", 1, down=True))) == ["=ann", "cy", "bob"]


@pytest.mark.parametrize("sort", ["", "raters", "raters.x", "raters.-1", "raters.²", "raters.9999"])
def test_an_address_that_makes_no_sense_sorts_nothing(sort: str) -> None:
    assert names(sorted_by(TABLE, Sort.read(sort, "1"))) == ["bob", "=ann", "cy"]


def test_another_tables_order_leaves_this_one_alone() -> None:
    found = shown("raters", TABLE, Sort("gold", 0))
    assert [row[0].text for row in found.rows] == ["bob", "=ann", "cy"]
    assert not found.sorted


def test_a_click_sorts_figures_from_the_highest_and_then_the_other_way() -> None:
    heads = shown("raters", TABLE).heads
    assert [(head.name, head.down, head.direction) for head in heads] == [
        ("Rater", False, "none"),
        ("n", True, "none"),
        ("Alpha", True, "none"),
    ]
    again = shown("raters", TABLE, Sort("raters", 2, down=True)).heads[2]
    assert (again.direction, again.down, again.sort) == ("descending", False, "raters.2")


def test_a_column_that_holds_nothing_is_not_shown_and_keeps_its_place_in_addresses() -> None:
    assert [head.sort for head in shown("raters", TABLE).heads] == [
        "raters.0",
        "raters.1",
        "raters.2",
    ]


def test_cells_have_their_interval_below_and_lead_somewhere() -> None:
    found = shown("raters", TABLE, links={"Rater": lambda name: f"/r/{name}"}, most=1)
    first, count, alpha = found.rows[0]
    assert (first.link, count.text, alpha.text, alpha.below) == (
        "/r/bob",
        "3",
        "0.50",
        "0.25..0.75",
    )
    assert found.left_out == 2


def test_a_csv_has_both_ends_and_runs_no_formula() -> None:
    lines = as_csv(TABLE).splitlines()
    assert lines[0] == "Rater,n,Alpha,Alpha low,Alpha high,Alpha n,Note"
    assert lines[1] == "bob,3,0.5,0.25,0.75,12,"
    assert lines[2] == "'=ann,9,,,,1,"


def test_json_has_figures_whole_and_no_nan() -> None:
    found = as_json(TABLE)
    assert found["notes"] == ["A note."]
    assert found["rows"][0]["Alpha"]["interval"] == [0.25, 0.75]
    assert found["rows"][1]["Alpha"]["estimate"] is None
