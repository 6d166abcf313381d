"""The figures of any table as a chart."""

from __future__ import annotations

from assize.pages.table_chart import draw_figures
from assize.results import Estimate, ResultTable
from assize.results.columns import columns

NAMES = [
    *columns("words", "judge", "item"),
    *columns("number", "r", "tau", signed=True),
    *columns("words", "why"),
]
FIRST, SECOND = Estimate(0.5, (0.25, 0.75)), Estimate(-0.5, (-0.75, 0.0))


def table(grouped: bool = False) -> ResultTable:
    rows = [
        ("a", "x", FIRST, SECOND, "so"),
        ("a", "x", SECOND, FIRST, "or so"),
        ("b", None, FIRST, None, ""),
    ]
    return ResultTable("Agreement", NAMES, rows, grouped=grouped)


def test_names_that_come_twice_are_told_apart_and_the_first_figures_are_drawn() -> None:
    spec = draw_figures(table())
    rows = spec["data"]["values"]
    assert [row["name"] for row in rows] == ["a, x", "a, x (2)", "b"]
    assert [row["value"] for row in rows] == [0.5, -0.5, 0.5]
    assert (rows[0]["low"], rows[0]["high"]) == (0.25, 0.75)
    assert spec["description"] == "R with intervals, by judge, item."  # the caption, too
    assert "title" not in spec


def test_a_column_can_be_named_and_zero_marked() -> None:
    spec = draw_figures(table(), "tau", zero=True)
    assert [row["value"] for row in spec["data"]["values"]] == [-0.5, 0.5]
    assert spec["layer"][0]["data"]["values"] == [{"mark": 0.0}]


def test_groups_are_panels() -> None:
    panels = draw_figures(table(grouped=True))["vconcat"]
    assert [panel["title"] for panel in panels] == ["a", "b"]
    names = [[row["name"] for row in panel["data"]["values"]] for panel in panels]
    assert names == [["x", "x (2)"], [""]]


def test_words_alone_are_not_drawn() -> None:
    assert draw_figures(ResultTable("t", columns("words", "a"), [("x",)])) == {}
