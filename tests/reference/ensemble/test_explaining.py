from __future__ import annotations

import json

import numpy as np
import pytest
from tests.reference.ensemble.made import metrics_table, sample, simulated

from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.explaining import Explained, explained
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.settings import Settings


@pytest.fixture(scope="module")
def result() -> Explained:
    ensemble = learn(sample(120), Settings(model="ridge"))
    return explained(ensemble, Columns.of(metrics_table(simulated(8, seed=7)[0])), ["i3", "i1"])


def test_what_moves_a_prediction_most_stands_first(result: Explained) -> None:
    for item in ("i3", "i1"):
        adds = [abs(row.adds) for row in result.contributions if row.item == item]
        assert adds == sorted(adds, reverse=True)
    assert [row.item for row in result.predictions] == ["i3", "i1"]


def test_the_rows_add_up_to_the_prediction(result: Explained) -> None:
    for row in result.predictions:
        adds = sum(part.adds for part in result.contributions if part.item == row.item)
        assert row.metrics_add == pytest.approx(adds)
        assert row.average + adds == pytest.approx(row.prediction)


def test_a_note_says_over_how_many_orders_they_are_sampled(result: Explained) -> None:
    assert "over 200 orders" in result.tables["contributions"].notes[0]


def test_json_has_every_contribution(result: Explained) -> None:
    found = json.loads(json.dumps(result.to_json()))
    assert len(found["contributions"]) == 2 * 3
    assert np.isfinite([row["adds"] for row in found["contributions"]]).all()
    assert found["unscored"] == 0
