"""The tables of a selection."""

from __future__ import annotations

from dataclasses import replace

from tests.criteria.test_selected import FOUND

from assize.criteria.selected_tables import selected_tables
from assize.criteria.selection.weight import Tuned, Weighed


def test_criteria_stand_in_the_order_of_choice() -> None:
    table = selected_tables(FOUND)["criteria"]
    assert [row[0] for row in table.rows] == [1, 2, 3, 4]
    assert [row[1] for row in table.rows] == [one.text for one in FOUND.criteria.criteria]
    assert table.title == "4 criteria of 24, in the order of choice (rubicon)"


def test_columns_of_nothing_are_left_out() -> None:
    plain = replace(FOUND, chosen=[replace(one, survives=None) for one in FOUND.chosen])
    assert "survives" in str(selected_tables(FOUND)["criteria"])
    assert "survives" not in str(selected_tables(plain)["criteria"])
    assert "unscored" not in str(selected_tables(plain)["criteria"])


def test_what_was_not_held_out_has_no_column() -> None:
    table = selected_tables(replace(FOUND, held_out=None))["together"]
    assert "held out" not in str(table)
    assert "on new ones expect less" in str(table)


def test_a_side_that_cannot_be_labelled_is_said() -> None:
    labelling = FOUND.criteria.labelling
    assert labelling is not None
    open_ended = replace(labelling, low=None, high=None)
    found = replace(FOUND, criteria=replace(FOUND.criteria, labelling=open_ended))
    assert "none is labelled bad, none is labelled good" in str(selected_tables(found)["together"])


def test_weights_that_choose_alike_share_a_line() -> None:
    tried = (Weighed(0.0, 0.5, 9.0), Weighed(1.0, 0.5, 9.0), Weighed(5.0, 0.6, 8.0))
    table = selected_tables(replace(FOUND, weight=5.0, tuned=Tuned(5.0, tried)))["weights"]
    assert [tuple(row) for row in table.rows] == [("0 to 1", 0.5, 9.0, None), ("5", 0.6, 8.0, "5")]
