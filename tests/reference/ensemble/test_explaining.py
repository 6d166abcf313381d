from __future__ import annotations

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


def test_rows_add_up_to_the_prediction_and_what_moves_it_most_stands_first(
    result: Explained,
) -> None:
    assert [row.item for row in result.predictions] == ["i3", "i1"]
    for row in result.predictions:
        adds = [part.adds for part in result.contributions if part.item == row.item]
        assert [abs(part) for part in adds] == sorted(map(abs, adds), reverse=True)
        assert row.metrics_add == pytest.approx(sum(adds))
        assert row.average + sum(adds) == pytest.approx(row.prediction)
    assert "over 200 orders" in result.tables["contributions"].notes[0]
