"""The record of a selection as JSON, notes and lines."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.criteria.simulated import simulated

from assize.criteria._criterion import Labelling
from assize.criteria._selected import (
    Curves,
    SelectionFigures,
    window_sentence,
)
from assize.criteria._selecting import Selecting, choose_criteria
from assize.criteria._selection import Budget, Objective
from assize.criteria._selection.policies import Settings
from assize.criteria._selection.window import Yielded

FOUND = choose_criteria(*simulated(), Selecting(settings=Settings(Budget(2, 2)), samples=3))


def test_json_holds_every_figure() -> None:
    value = json.loads(json.dumps(FOUND.to_json(), allow_nan=False))
    assert [row["id"] for row in value["chosen"]] == [one.id for one in FOUND.criteria.criteria]
    assert value["weight"] == FOUND.weight
    training, held_out = value["figures"]
    assert set(training) - set(held_out) == {"sharpness_error"}
    assert (value["n"], value["good"], value["pool"]) == (80, 40, 24)


def test_shares_have_wilson_s_intervals() -> None:
    # 8 of 10 labelled, 6 of these rightly; Wilson's ends of 8/10 and 6/8 by its formula, z = 1.96.
    figures = SelectionFigures.of("training", 3.0, Yielded(0.8, 0.75, 8, 10), 0.9)
    assert figures.accuracy.estimate == 0.9
    assert figures.labelled.interval == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert figures.precision.interval == pytest.approx((0.4093, 0.9285), abs=1e-4)
    nothing = SelectionFigures.of("training", 3.0, Yielded(0.0, float("nan"), 0, 10), 0.9)
    assert np.isnan(nothing.precision.estimate)
    value = replace(FOUND, figures=[nothing]).to_json()["figures"][0]
    assert value["precision"]["interval"] == [None, None]
    json.dumps(value, allow_nan=False)


def test_notes_begin_with_the_labels_and_a_line_has_the_settings() -> None:
    assert FOUND.notes[0].startswith("labels by made: 40 good (50%), 40 bad")
    (line,) = FOUND.lines
    assert line.startswith("select=rubicon|budget=2+2|weight=")
    assert line.endswith(FOUND.signature)
    assert [row.place for row in FOUND.chosen] == [1, 2, 3, 4]
    assert FOUND.sentence.startswith("4 of 24 criteria, chosen by rubicon on 40 good and 40 bad")


def test_columns_of_nothing_are_left_out() -> None:
    plain = replace(FOUND, chosen=[replace(one, survives=None) for one in FOUND.chosen])
    assert "survives" in str(FOUND.tables["chosen"])
    assert "survives" not in str(plain.tables["chosen"])
    assert "--stability 100" in str(plain.tables["chosen"])


def test_what_was_not_held_out_has_no_row() -> None:
    table = replace(FOUND, held_out=None, figures=FOUND.figures[:1]).tables["figures"]
    assert "held out" not in str(table)
    assert "on new ones expect less" in str(table)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-5.0, 4.0, "bad up to -5, good above 4, left open between; threshold 1.00."),
        (None, 4.0, "none is labelled bad, good above 4, all others are left open;"),
        (-5.0, None, "bad up to -5, none is labelled good, all others are left open;"),
        (
            None,
            None,
            "none is labelled bad, none is labelled good, all others are left open;",
        ),
        (1.0, 1.0, "bad up to 1, good above 1, none is left open;"),
        (
            -9.0,
            -5.0,
            "Scores from -5 to 1.00 are labelled good, though they lie below",
        ),
        (5.0, 7.0, "Scores from 1.00 to 5 are labelled bad, though they lie above"),
    ],
)
def test_the_window_is_put_in_words(low: float | None, high: float | None, said: str) -> None:
    sentence = window_sentence(Labelling(1.0, low, high))
    assert said in sentence
    assert ("though" in sentence) == ("though" in said)


def test_shares_stand_with_their_intervals() -> None:
    share = FOUND.figures[0].accuracy
    table = str(FOUND.tables["figures"])
    assert f"{100 * share.estimate:.1f}%" in table
    assert "n: accuracy 80" in table
    assert f"{100 * share.interval[0]:.1f}..{100 * share.interval[1]:.1f}" in table


def test_curves_hold_precision_and_the_tanh_on_its_range() -> None:
    """Scores 0 and 2 are bad, 2 and 4 good; thresholds 0, 2, 4.

    Above 0: 2, 2, 4, of which two are good; above 2: 4, good; above 4: none. At or below 0: bad;
    2: two of three bad; 4: two of four. The midpoint of the means 3 and 1 is 2, where the tanh is 0
    and its image the middle of each range.
    """
    found = Curves.of(
        np.array([0.0, 2.0, 2.0, 4.0]), np.array([False, False, True, True]), Objective()
    )
    np.testing.assert_allclose(found.thresholds[::100], [0, 2, 4])
    np.testing.assert_allclose(found.positive[::100], [2 / 3, 1, np.nan])
    np.testing.assert_allclose(found.negative[::100], [1, 2 / 3, 1 / 2])
    assert found.positive_tanh[100] == pytest.approx((2 / 3 + 1) / 2)
    assert found.negative_tanh[100] == pytest.approx((1 + 1 / 2) / 2)
    assert found.positive_tanh[0] < found.positive_tanh[-1]
    assert found.negative_tanh[0] > found.negative_tanh[-1]
