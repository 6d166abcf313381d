from __future__ import annotations

from assize.evaluator.card import shown, table
from assize.stats import mean


def test_an_estimate_is_shown_with_its_interval() -> None:
    found = mean([0.0, 1.0, 1.0, 0.0])
    low, high = found.interval
    assert shown(found) == f"0.50 [{low:.2f}, {high:.2f}]"


def test_a_table_has_a_rule_under_its_header() -> None:
    assert table([("a", "1"), ("b", "2")], ("name", "n")).splitlines() == [
        "| name | n |", "| --- | --- |", "| a | 1 |", "| b | 2 |",
    ]  # fmt: skip
