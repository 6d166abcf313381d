"""Sets, groups, importance, requests and choices as tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.calibration import Scale
from assize.calibration.groups.audit import Group
from assize.calibration.prediction.best_of_n import Selection
from assize.calibration.prediction.compare_systems import compare_sets
from assize.calibration.tables import MOST_GROUPS, audit_tables, selection_table
from assize.judgment import Question
from assize.results import ResultTable
from assize.stats import Estimate

NAN = float("nan")


def texts(table: ResultTable) -> list[list[str]]:
    return [[first for first, _ in row] for row in table.texts()[1]]


@pytest.mark.parametrize("kind", ["ordinal", "nominal"])
def test_a_table_of_many_answers_has_a_few_columns(kind: Any) -> None:
    """Of 20 ordered answers the quarters of the scale, of others the most frequent."""
    names = tuple(f"a{n}" for n in range(20))
    values = tuple(float(n) for n in range(20)) if kind == "ordinal" else None
    scale = Scale.of(Question("q", kind=kind, answers=names, values=values))
    p = np.full((10, 2, 20), 0.01)
    p[:, :, 5:13] = [0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.08]
    sets = {"s": np.arange(5), "t": np.arange(5, 10)}
    found = compare_sets(
        p, scale, sets, [str(n) for n in range(10)], resamples=20, rng=np.random.default_rng(1)
    )
    tables = [found.tables["sets"], found.tables["differences"]]
    names_of = [[one.name for one in table.columns] for table in tables]
    shares = [round(100 * one.estimate, 1) for one in tables[0].rows[0][4:]]
    if kind == "nominal":
        assert names_of[0][4:] == names_of[1][3:] == [f"% a{n}" for n in range(5, 13)]
        assert shares[0] == 20.0
    else:
        assert names_of[0][4:] == names_of[1][3:] == ["% <= a4", "% <= a9", "% <= a14"]
        assert shares == [5.0, 65.0, 95.0]


def group(name: str, n: int, **more: Any) -> Group:
    figures = {"log_loss": Estimate(1.0), "smooth_ece": Estimate(0.123, (0.1, 0.2))}
    given: dict[str, Any] = {"figures": figures, "apart": {}, "p_values": {}, "adjusted": {}} | more
    return Group("metadata.language", name, n, n, 0, **given)


def test_an_audit_has_the_columns_of_what_was_measured() -> None:
    gaps = [{"field": "f", "figure": "ece", "group": "de", "gap": 0.25}]
    adjusted = {"log_loss": 0.0001}
    tables = audit_tables(
        "Q", group("all", 60), [group("de", 40, adjusted=adjusted), group("", 20)], gaps
    )
    table = tables["metadata.language"]
    assert [one.name for one in table.texts()[0]] == ["language", "n", "loss", "ece", "p loss"]
    assert texts(table) == [
        ["all", "60", "1.00", "0.12", ""],
        ["de", "40", "1.00", "0.12", "<0.001"],
        ["(none)", "20", "1.00", "0.12", ""],
    ]
    assert texts(tables["worst"]) == [["f", "ece", "de", "0.250"]]
    ordered = {"bias": Estimate(-0.001, (-0.1, 0.1)), "rmse": Estimate(0.5, (0.4, 0.6))}
    more = audit_tables("Q", group("all", 60), [group("x", 3, figures=ordered)], [])
    assert texts(more["metadata.language"])[1] == ["x", "3", "0.50", "0.00 [-0.10, 0.10]", "", ""]


def test_an_audit_of_many_groups_shows_the_largest_in_their_order() -> None:
    groups = [group(f"g{n}", n + 1) for n in range(MOST_GROUPS + 5)]
    table = audit_tables("Q", group("all", 999), groups, [])["metadata.language"]
    assert [row[0] for row in table.rows] == ["all", *(f"g{n}" for n in range(5, MOST_GROUPS + 5))]
    (note,) = table.notes
    assert note == f"The {MOST_GROUPS} largest of {MOST_GROUPS + 5} groups; --json has all."


def test_a_choice_names_the_item_or_says_why_there_is_none() -> None:
    one = Selection("g", (0, 1), 1, False, 3.25, 2.5, 1.0, 0)
    chosen = [
        one,
        replace(one, abstained=True),
        Selection("h", (2,), None, False, NAN, NAN, NAN, 1),
    ]
    table = selection_table(chosen, [("a", None), ("b", 3), ("c", None)], "Q", 2)
    assert texts(table) == [
        ["g", "b, turn 3", "2", "3.25", "2.50", "1.00"],
        ["g", "(abstained)", "2", "3.25", "2.50", "1.00"],
    ]
    assert table.notes == ("1 further rows are not shown.",)
    assert texts(selection_table(chosen, [("a", None)] * 3, "Q", 9))[2][1:] == [
        "–",
        "1",
        "–",
        "–",
        "–",
    ]
