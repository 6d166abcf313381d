"""Repeats as runs: agreement by hand, and recovered from simulated judges."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.juries.conftest import pair
from tests.juries.study.conftest import PAIRS, rows

from assize.judgments import JudgmentTable
from assize.juries.study import Grid
from assize.juries.study.methods import methods_of
from assize.juries.study.reruns import rerun
from assize.juries.study.rows import rerun_row, run_rows
from assize.juries.study.sitting import DataSet, Place

DATA = DataSet(
    "chats",
    JudgmentTable.of(
        [
            *rows("da@x", "AAtB", 0),
            *rows("da@x", "AABB", 1),
            *rows("da@x", "AttB", 2),
            *rows("maxim@x", "BBAA"),
        ]
    ),
    PAIRS,
)


GRID = Grid([DATA], (), ("x",), {})


def of(written: str, data: DataSet = DATA) -> dict[int, Any]:
    """What a jury comes to in each run."""
    method = methods_of([written], [], data.table.judges)[-1]
    return rerun(data, method, Place(data.name, written, "x"), data.table.judges)


def rows_of(written: str, data: DataSet = DATA) -> tuple[Any, list[Any]]:
    place, runs = Place(data.name, written, "x"), of(written, data)
    return rerun_row(GRID, place, runs), list(run_rows(GRID, place, runs))


def test_each_run_is_counted_by_itself_and_agreement_is_over_decisions() -> None:
    assert {run: one.outcome.jury.counts for run, one in of("da").items()} == {
        0: {"win": 2, "tie": 1, "loss": 1},
        1: {"win": 2, "loss": 2},
        2: {"win": 1, "tie": 2, "loss": 1},
    }
    row, runs = rows_of("da")
    assert row.same.count == 2  # p1 and p4
    # pairs of runs that agree: p1 3 of 3, p2 1 of 3, p3 1 of 3, p4 3 of 3
    assert row.agreement.estimate == pytest.approx(8 / 12)
    assert [run.win.estimate for run in runs] == [0.5, 0.5, 0.25]
    assert row.win == pytest.approx(5 / 12)
    assert row.deviation == pytest.approx(math.sqrt((2 * (1 / 12) ** 2 + (1 / 6) ** 2) / 2))


def test_a_jury_has_runs_where_one_of_its_judges_has() -> None:
    row, (first, *others) = rows_of("da > maxim")
    wins = [run.win.estimate for run in others]
    assert wins == [0.5, 0.5]  # maxim breaks ties: p3 A; p2 B, p3 A
    assert (row.lowest, row.highest, row.alpha.n) == (0.5, 0.75, 4)
    assert (first.run, first.win.count) == (0, 3)


def test_judges_that_were_asked_once_have_no_reruns() -> None:
    assert of("maxim") == {}


def test_runs_without_gold_still_agree_or_not() -> None:
    bare = DataSet("bare", DATA.table, {name: pair(name, None) for name in PAIRS})
    row, (first, *_) = rows_of("da", bare)
    assert row.same.count == 2
    assert math.isnan(row.win)
    assert first.win is None
    assert first.a.count == 2


def test_pairs_that_a_run_could_not_be_scored_on_are_unscored_and_not_different() -> None:
    table = JudgmentTable.of([row for row in DATA.table if (row.item, row.repeat) != ("p1", 1)])
    found, _ = rows_of("da", DataSet("chats", table, PAIRS))
    assert (found.same.n, found.same.unscored, found.same.count) == (3, 1, 1)
