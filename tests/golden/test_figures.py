"""The table of golden figures: what makes two of them differ."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from golden.figures import Figure, Table, decided, differences, flatten, load, save


def test_a_row_of_a_list_is_found_by_its_name_whatever_the_order() -> None:
    rows = [{"judge": "b", "n": 3, "unscored": 1, "estimate": 0.5}, {"judge": "a", "score": 2}]
    assert dict(flatten({"rows": rows}, "x")) == dict(flatten({"rows": rows[::-1]}, "x"))
    assert dict(flatten(rows, "x"))["x/b"] == Figure(0.5, n=3, unscored=1)


@pytest.mark.parametrize(
    ("base", "now", "same"),
    [
        (Figure(0.5), Figure(0.5 * (1 + 1e-10)), True),
        (Figure(0.5), Figure(0.5 * (1 + 1e-8)), False),
        (Figure(3), Figure(4), False),
        (Figure("A"), Figure("B"), False),
        (Figure(1), Figure(True), False),
        (Figure(math.nan), Figure(math.nan), True),
        (Figure(math.nan), Figure(0.0), False),
        (Figure(0.5, n=3), Figure(0.5, n=4), False),
        (Figure(0.5, n=3, unscored=0), Figure(0.5, n=3, unscored=1), False),
    ],
)
def test_only_the_last_digits_of_a_float_may_differ(base: Figure, now: Figure, same: bool) -> None:
    assert (differences({"x": base}, {"x": now}, {}) == {}) is same


def test_a_missing_and_a_new_figure_are_told_apart() -> None:
    lines = differences({"a": Figure(1)}, {"b": Figure(1)}, {})
    assert lines == {"a": "missing", "b": "new"}


def test_a_network_may_differ_in_its_sixth_digit() -> None:
    base, now = {"net/x": Figure(1.0)}, {"net/x": Figure(1.000004)}
    assert differences(base, now, {"net": 1e-5}) == {}
    assert "net/x" in differences(base, now, {})


def test_a_table_round_trips(tmp_path: Path) -> None:
    table: Table = {"a": Figure(math.inf, 1, 0), "b": Figure("text"), "c": Figure(None)}
    save(table, tmp_path / "table")
    assert load(tmp_path / "table") == table


@pytest.mark.parametrize("line", ["jury/escalated/*", "jury/nothing/*: dropped"])
def test_a_decision_names_figures_that_there_are_and_a_reason(tmp_path: Path, line: str) -> None:
    path = tmp_path / "dropped.txt"
    path.write_text(f"# why\n{line}\n")
    with pytest.raises(ValueError, match=r"dropped\.txt:2"):
        decided(path, ["jury/escalated/n", "jury/n"])
    path.write_text(
        "jury/escalated/*: escalating juries go\nacts/*: of a reader that was not run\n"
    )
    assert decided(path, ["jury/escalated/n", "jury/n"]) == {"jury/escalated/n"}
