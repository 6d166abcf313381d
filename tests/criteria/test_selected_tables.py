"""The tables of a selection."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.criteria.test_selected import FOUND

from assize.criteria.criterion import Labelling
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


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-5.0, 4.0, "bad up to -5, good above 4, left open between; threshold 1.00."),
        (None, 4.0, "none is labelled bad, good above 4, left open up to there;"),
        (-5.0, None, "bad up to -5, none is labelled good, left open above;"),
        (None, None, "no score is labelled, all are left open; threshold 1.00."),
        (1.0, 1.0, "bad up to 1, good above, none is left open;"),
        (
            -9.0,
            -5.0,
            "Scores from -5 to 1.00 are labelled good, though they lie below",
        ),
        (5.0, 7.0, "Scores from 1.00 to 5 are labelled bad, though they lie above"),
    ],
)
def test_the_window_is_put_in_words(low: float | None, high: float | None, said: str) -> None:
    cuts = Labelling(1.0, low, high)
    found = replace(FOUND, criteria=replace(FOUND.criteria, labelling=cuts))
    notes = " ".join(selected_tables(found)["together"].notes)
    assert said in notes
    assert ("though" in notes) == ("though" in said)


def test_shares_stand_with_their_intervals() -> None:
    table = selected_tables(FOUND)["together"]
    share = FOUND.training.shares["accuracy"]
    shown = f"{100 * share.estimate:.1f} [{100 * share.interval[0]:.1f}, "
    assert shown in str(table)


def test_weights_that_choose_alike_share_a_line() -> None:
    tried = (Weighed(0.0, 0.5, 9.0), Weighed(1.0, 0.5, 9.0), Weighed(5.0, 0.6, 8.0))
    table = selected_tables(replace(FOUND, weight=5.0, tuned=Tuned(5.0, tried)))["weights"]
    assert [tuple(row) for row in table.rows] == [("0 to 1", 0.5, 9.0, None), ("5", 0.6, 8.0, "5")]
