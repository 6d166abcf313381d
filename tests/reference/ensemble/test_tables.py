from __future__ import annotations

from dataclasses import replace

from tests.reference.ensemble.made import sample

from assize.reference.ensemble.learning import SINGLE, learn
from assize.reference.ensemble.settings import Settings
from assize.reference.ensemble.tables import ensemble_tables

MADE = learn(sample(120), Settings(model="ridge", compared=("linear",)))


def test_every_model_stands_beside_the_best_single_metric() -> None:
    table = ensemble_tables(MADE)["cross_validated"]
    assert [row[1] for row in table.rows] == ["ridge", "linear", SINGLE]
    assert "metrics:cosine (5 of 5 fits)" in table.notes[0]


def test_figures_have_their_intervals_and_counts() -> None:
    found = ensemble_tables(MADE)["cross_validated"].rows[0][2]
    assert found.n == 120
    assert found.interval[0] < found.estimate < found.interval[1]


def test_the_interval_stands_with_what_it_promises_and_its_coverage() -> None:
    table = ensemble_tables(MADE)["intervals"]
    assert table.rows == [("90%", MADE.intervals.width)]
    assert "of held-out items lie within" in table.notes[0]


def test_what_is_not_known_of_a_fit_is_left_out() -> None:
    found = ensemble_tables(replace(MADE, about={}))
    assert list(found) == ["metrics"]
    assert found["metrics"].rows[0] == ("metrics:cosine", "metrics")
