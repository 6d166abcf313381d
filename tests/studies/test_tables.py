"""Figures, gaps and curves as tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.studies import MethodTable, Predictions, Row, Truth, method_tables
from assize.studies.learning_curve import Point, Spread
from assize.studies.tables import curve_measures, curve_table, figures_table, gaps_table

GOLD = np.random.default_rng(0).normal(size=40)


def compared(*groups: str) -> MethodTable:
    """Methods off by 0.1, 0.5, 0.9, ...; the last does not predict the first four rows."""
    rows = [
        Row(f"m{place}", Predictions(GOLD[None] + (0.1 + 0.4 * place)), group)
        for place, group in enumerate(groups)
    ]
    short = np.where(np.arange(40) < 4, np.nan, rows[-1].predicted.value)
    rows[-1] = replace(rows[-1], predicted=Predictions(short))
    (found,) = method_tables(rows, Truth(GOLD, np.arange(40)), np.zeros(40, bool))
    return found


def column(table: Any, name: str) -> list[Any]:
    place = [one.name for one in table.columns].index(name)
    return [row[place] for row in table.rows]


def test_every_method_stands_with_its_figures_its_n_and_p_against_the_base() -> None:
    found = compared("a", "a", "b")
    table = figures_table(found, "m0", "squared error", "Offsets")
    assert table.title == "Offsets"
    assert column(table, "group") == ["a", "a", "b"]
    assert [one.estimate for one in column(table, "RMSE")] == pytest.approx([0.1, 0.5, 0.9])
    assert column(table, "n") == [40, 40, 36]
    assert column(table, "unscored") == [None, None, 4]
    p = column(table, "p")
    assert np.isnan(p[0])
    assert p[1:] == list(found.against("m0", "squared error").values())
    assert "squared errors against those of `m0`" in table.notes[-1]
    assert "m0" in str(table)


def test_without_a_base_nothing_is_said_of_p() -> None:
    table = figures_table(compared("a", "a"))
    assert table.title == "cross-validated"
    assert np.isnan(column(table, "p")).all()
    assert len(table.notes) == 1


def test_gaps_are_those_to_each_of_the_others() -> None:
    found = compared("a", "a", "a")
    table = gaps_table(found, ["m0", "m2"], "squared error")
    assert column(table, "method") == ["m0", "m1", "m2"]
    assert column(table, "less m0")[1] == found.gaps("m0", "squared error")["m1"][0]
    assert column(table, "less m2")[1] == pytest.approx(0.25 - 0.81)
    assert np.isnan(column(table, "less m0")[0])
    assert gaps_table(found, ["m0"], "log loss").rows == []


def test_a_curve_says_its_sizes_and_where_subsamples_are_alike() -> None:
    spread, nothing = Spread(0.5, 0.4, 0.6, 3), Spread(np.nan, np.nan, np.nan, 0)
    points = [
        Point("m", rows, 4, distinct, {"rmse": spread, "pearson": nothing, "own": spread})
        for rows, distinct in ((1, 4), (9, 2))
    ]
    assert curve_measures(points) == ["rmse", "own"]
    table = curve_table(points, "form")
    assert [one.name for one in table.columns] == ["method", "forms", "RMSE", "own"]
    assert column(table, "forms") == [1, 9]
    assert column(table, "RMSE")[0].n == 3  # of the four
    assert "Of the 4 subsamples, not all are different: 2 at 9 forms." in table.notes[-1]
    assert curve_table([]).rows == []
    assert len(curve_table(points[:1]).notes) == 1
