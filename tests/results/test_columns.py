"""What stands in a table, before anything shows it."""

from __future__ import annotations

from assize.results.columns import Column, Mean, TableRecord, columns


def test_a_deviation_is_in_percent_where_its_figure_is() -> None:
    mean = Mean(0.208, spread=0.012)
    (column,) = columns("percent", "share", digits=1)
    assert column.shown(mean)[0].split() == ["20.8", "±", "1.2"]
    assert columns("percent", "s", digits=1, ends="below")[0].shown(mean)[0] == "20.8 ± 1.2"
    assert columns("number", "s", digits=3)[0].shown(mean)[0].split() == ["0.208", "±", "0.012"]


def test_names_of_groups_make_the_column_below_them_one_of_words() -> None:
    named = [Column("question"), *columns("count", "raters", "items")]
    table = TableRecord("Sizes", named, [("clear", 3, 7), ("kind", 2, 5)], grouped=True)
    shown, rows = table.texts()
    assert [column.kind for column in shown] == ["words", "count"]
    assert [row[0][0] for row in rows] == ["clear", "  3", "kind", "  2"]
