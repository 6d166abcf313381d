"""The record: how cells are read, groups, data frames, notebooks."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from assize.base.errors import MissingExtra
from assize.results import Column, Mean, ResultTable, Scaled
from assize.results.columns import columns
from assize.stats import Estimate, wilson

NAN = float("nan")
FOUND = Estimate(0.31234, (0.19, 0.425), n=60)
SHARE = wilson(288, 460)


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        (Column("c"), "words", ("words", "")),
        (Column("c", "number"), None, ("", "")),
        (Column("c", "number"), NAN, ("–", "")),
        (Column("c", "count"), 1234, ("1,234", "")),
        (Column("c", "count"), SHARE, ("288 of 460", "")),
        (Column("c", "number"), FOUND, ("0.312 [0.190, 0.425]", "")),
        (Column("c", "number", 2, ends="below"), FOUND, ("0.31", "0.19..0.42")),
        (Column("c", "number", ends="page"), FOUND, ("0.312", "[0.190, 0.425]")),
        (Column("c", "number", ends="none"), FOUND, ("0.312", "")),
        (Column("c", "number", signed=True), 0.5, ("+0.500", "")),
        (Column("c", "number"), Scaled(51.26, 1), ("51.3", "")),
        (Column("c", "percent", 2, ends="none"), SHARE, ("62.61", "")),
        (Column("c", "percent", 1, coarse=0), SHARE, ("62.6 [58, 67]", "")),
        (Column("c", "percent", 0, unit="%"), 0.125, ("12%", "")),
        (Column("c", "share", 1, ends="page", unit="%"), SHARE, ("288 (62.6%)", "[58.1%, 66.9%]")),
        (Column("c", "p"), 0.0001, ("<0.001", "")),
        (Column("c", "number", 2, counted=True), Mean(3, spread=0.5, n=7), ("3.00 ± 0.50 (7)", "")),
        (Column("c", "number", 1, ends="below"), Mean(3, (2, 4), 0.5), ("3.0 ± 0.5", "2.0..4.0")),
    ],
)
def test_a_cell_is_read_as_its_column_says(column: Column, cell: Any, said: Any) -> None:
    assert column.shown(cell) == said


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        ResultTable("t", columns("words", "a", "b"), [("x",)])


def test_groups_stand_once_above_their_rows() -> None:
    table = ResultTable(
        "t",
        columns("words", "group", "name") + columns("count", "n"),
        [("g", "a", 1), ("g", "b", 2), ("h", "c", 3)],
        grouped=True,
    )
    shown, rows = table.texts()
    assert [one.name for one in shown] == ["name", "n"]
    assert [[first for first, _ in row] for row in rows] == [
        ["g", ""],
        ["  a", "1"],
        ["  b", "2"],
        ["h", ""],
        ["  c", "3"],
    ]


def test_a_column_in_which_nothing_belongs_is_left_out() -> None:
    table = ResultTable("t", columns("words", "a", "b"), [("x", None), ("y", None)])
    assert [one.name for one in table.texts()[0]] == ["a"]


def test_the_first_rows_say_how_many_are_left_out() -> None:
    table = ResultTable("t", columns("count", "n"), [(n,) for n in range(5)], ["All."])
    assert table.head(3).notes == ("All.", "2 further rows are not shown.")
    assert len(table.head(3).rows) == 3
    assert table.head(5) is table


def test_a_data_frame_has_the_values_and_both_ends() -> None:
    pytest.importorskip("pandas")
    table = ResultTable(
        "t",
        [
            *columns("words", "name"),
            *columns("number", "mean"),
            *columns("percent", "%", ends="none"),
            *columns("number", "scaled"),
        ],
        [("a", FOUND, SHARE, Scaled(2.0, 1)), ("b", NAN, SHARE, None)],
    )
    frame = table.to_pandas()
    assert list(frame) == [
        "name",
        "mean",
        "mean low",
        "mean high",
        "%",
        "scaled",
    ]
    assert frame["mean"][0] == 0.31234
    assert frame["%"][0] == pytest.approx(288 / 460)
    assert frame["scaled"][0] == 2.0


def test_csv_has_the_values_of_a_frame_and_no_cell_that_a_spreadsheet_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    named = [*columns("words", "name", "=HEAD()"), *columns("number", "mean", "less", "none")]
    table = ResultTable(
        "t", named, [("=1+1", 'a,"b"\n', FOUND, -2.0, None), ("@x", "-", NAN, 0.5, NAN)]
    )
    assert table.to_csv() == (
        "name,'=HEAD(),mean,mean low,mean high,less,none\n"
        '\'=1+1,"a,""b""\n",0.31234,0.19,0.425,-2.0,\n'
        "'@x,'-,,,,0.5,\n"
    )


def test_a_heading_that_stands_twice_is_told_apart_in_a_frame() -> None:
    pytest.importorskip("pandas")
    named = [*columns("words", "who"), *columns("number", "less a"), *columns("p", "p")]
    named += [*columns("number", "less b"), *columns("p", "p")]
    frame = ResultTable("t", named, [("x", 0.1, 0.01, 0.2, 0.02)]).to_pandas()
    assert list(frame.columns) == ["who", "less a", "p", "less b", "less b p"]


def test_without_pandas_a_frame_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"a data frame needs pandas.*'\.\[notebook\]'"):
        ResultTable("t", columns("number", "mean"), [(0.5,)]).to_pandas()


def test_a_notebook_shows_the_page_s_table_and_print_the_terminal_s() -> None:
    table = ResultTable("Title", columns("number", "mean"), [(0.5,)])
    assert table._repr_html_() == table.to_html()
    assert "Title" in str(table)
    assert "0.500" in str(table)
