"""The record of a selection as JSON, notes and lines."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.criteria.simulated import simulated

from assize.criteria.selected import Curves, Measures
from assize.criteria.selecting import Selecting, select
from assize.criteria.selection import Budget, Objective
from assize.criteria.selection.policies import Settings
from assize.criteria.selection.window import Yielded

FOUND = select(*simulated(), Selecting(settings=Settings(Budget(2, 2)), samples=3))


def test_json_holds_every_figure() -> None:
    told = json.loads(json.dumps(FOUND.to_json(), allow_nan=False))
    assert [one["id"] for one in told["criteria"]] == [one.id for one in FOUND.criteria.criteria]
    assert told["objective"]["weight"] == FOUND.weight
    assert len(told["weights"]) == 11
    assert set(told["held_out"]) == set(told["training"])
    assert (told["n"], told["good"], told["pool"], told["left_out"]) == (80, 40, 24, [])


def test_shares_have_wilson_s_intervals() -> None:
    # 8 of 10 labelled, 6 of these rightly; Wilson's ends of 8/10 and 6/8 by its formula, z = 1.96.
    one = Measures(3.0, Yielded(0.8, 0.75, 8, 10), 0.9)
    assert one.shares["accuracy"].estimate == 0.9
    assert one.shares["yield"].interval == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert one.shares["precision"].interval == pytest.approx((0.4093, 0.9285), abs=1e-4)
    nothing = Measures(3.0, Yielded(0.0, float("nan"), 0, 10), 0.9)
    assert np.isnan(nothing.shares["precision"].estimate)
    told = replace(FOUND, training=nothing).to_json()["training"]
    assert told["intervals"]["precision"] == [None, None]
    json.dumps(told, allow_nan=False)


def test_notes_begin_with_the_labels_and_end_with_the_file() -> None:
    assert FOUND.notes[0].startswith("labels by made: 40 good (50%), 40 bad")
    assert replace(FOUND, out="c.yaml").notes[-1] == "c.yaml: 4 criteria"
    assert FOUND.lines == [FOUND.signature]


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
