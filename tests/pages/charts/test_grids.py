"""Grids: confusions, matrices."""

from __future__ import annotations

from assize.pages import charts


def test_a_confusion_has_a_cell_for_every_pair_of_answers() -> None:
    spec = charts.confusion(
        {("1", "2"): 3}, answers=["1", "2", "3"], x_title="gold", y_title="judge"
    )
    cells = {(one["row"], one["column"]): one["value"] for one in spec["data"]["values"]}
    assert len(cells) == 9
    assert {place for place, value in cells.items() if value} == {("1", "2")}
    assert (spec["encoding"]["x"]["title"], spec["encoding"]["y"]["title"]) == ("gold", "judge")


def test_a_missing_cell_is_a_dash_and_no_zero() -> None:
    cells = {("a", "b"): -0.2, ("b", "a"): None}
    drawn = charts.svg(charts.agreement_matrix(cells, judges=["a", "b"], statistic="kappa"))
    assert ">–<" in drawn
    assert "−0.20" in drawn
