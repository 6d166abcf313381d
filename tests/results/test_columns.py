"""What stands in a table, before anything shows it."""

from __future__ import annotations

import pytest

from assize.results import Column
from assize.results.columns import Mean, TableRecord, columns

NAMED = [Column("group"), Column("name"), *columns("number", "mean", digits=2)]


def test_a_row_must_be_as_long_as_the_header() -> None:
    with pytest.raises(ValueError, match="a row of 2 cells under 3 columns"):
        TableRecord("t", NAMED, [("a", "b")])


def test_the_head_says_how_many_rows_it_leaves_out() -> None:
    record = TableRecord("t", NAMED, [("g", str(n), float(n)) for n in range(5)])
    first = record.head(2)
    assert (len(first.rows), first.notes) == (2, ("3 further rows are not shown.",))
    assert record.head(5) is record


def test_groups_become_rows_above_theirs_and_empty_columns_go() -> None:
    record = TableRecord("t", NAMED, [("g", "a", None), ("g", "b", None)], grouped=True)
    named, lines = record.texts()
    assert [column.name for column in named] == ["name"]
    assert [line[0][0] for line in lines] == ["g", "  a", "  b"]


def test_a_deviation_is_in_percent_where_its_figure_is() -> None:
    mean = Mean(0.208, spread=0.012)
    (column,) = columns("percent", "share", digits=1)
    assert column.shown(mean)[0].split() == ["20.8", "±", "1.2"]
    assert columns("percent", "s", digits=1, ends="below")[0].shown(mean)[0] == "20.8 ± 1.2"
    assert columns("number", "s", digits=3)[0].shown(mean)[0].split() == ["0.208", "±", "0.012"]
