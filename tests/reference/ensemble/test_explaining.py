from __future__ import annotations

import json

import numpy as np
import pytest

from assize.reference.ensemble.explaining import SHOWN, Explained


def taken_apart(metrics: int) -> Explained:
    shares = np.arange(1.0, metrics + 1)[None, :] / 10
    return Explained(
        ("a",),
        tuple(f"m{at}" for at in range(metrics)),
        np.ones((1, metrics)),
        shares,
        2.0,
        2.0 + shares.sum(axis=1),
        1,
        "abc",
    )


def test_what_moves_it_most_stands_first_and_the_rest_together() -> None:
    rows = taken_apart(SHOWN + 3).tables["a"].rows
    assert [row[0] for row in rows][:2] == ["average continuation", f"m{SHOWN + 2}"]
    assert rows[-2][0] == "3 others"
    assert rows[-2][2] == pytest.approx(0.1 + 0.2 + 0.3)


def test_the_rows_add_up_to_the_prediction() -> None:
    first, *parts, last = taken_apart(SHOWN + 3).tables["a"].rows
    assert first[3] + sum(row[2] for row in parts) == pytest.approx(last[3])


def test_few_metrics_leave_no_rest() -> None:
    assert [row[0] for row in taken_apart(2).tables["a"].rows] == [
        "average continuation",
        "m1",
        "m0",
        "prediction",
    ]


def test_a_note_says_over_how_many_orders_they_are_sampled() -> None:
    assert "over 200 orders" in taken_apart(2).tables["a"].notes[0]


def test_json_has_every_contribution() -> None:
    found = json.loads(json.dumps(taken_apart(3).to_json()))
    assert found["items"]["a"]["contributions"] == {"m0": 0.1, "m1": 0.2, "m2": 0.3}
    assert (found["average"], found["unscored"]) == (2.0, 1)
