from __future__ import annotations

import numpy as np
import pytest

from assize.base.judgment import Judgment, Unscored
from assize.calibrate._prediction.rater_means import RaterMeans
from assize.judgments import JudgmentTable
from assize.results import to_json

HALVES = {"1": 0.5, "2": 0.5}  # an entropy of log 2


def said(rater: str, score: float | None, **shares: float) -> Judgment:
    return Judgment("i", f"calibration:{rater}", "Q0", score=score, distribution=shares or HALVES)


def means_of(*rows: Judgment) -> RaterMeans:
    means = RaterMeans()
    for row in rows:
        means.add(JudgmentTable.of([row]))
    return means


@pytest.mark.parametrize("at", [0.0, 1e9])
def test_means_and_deviations_are_those_of_the_scores(at: float) -> None:
    rows = [said("ann", at + score) for score in (1.0, 2.0)]
    means = means_of(*rows, said("ann", at + 4.5, x=1.0), said("bob", at))
    ann = means.by_rater["ann"]
    assert ann.n == 3
    assert ann.mean == pytest.approx(at + 2.5)
    assert ann.deviation == pytest.approx(np.std([1.0, 2.0, 4.5]))
    assert ann.entropy == pytest.approx(np.log(2) * 2 / 3)
    assert means.by_rater["bob"].deviation == 0


def test_what_is_unscored_is_counted_and_has_no_mean() -> None:
    lost = Judgment("i", "calibration:ann", "Q0", unscored=Unscored("missing", "nothing"))
    means = means_of(lost, lost)
    nothing = {"n": 0, "unscored": 2, "mean": None, "deviation": None, "entropy": None}
    assert to_json(means.by_rater) == {"ann": nothing}


def test_unordered_answers_have_an_entropy_and_no_mean() -> None:
    found = to_json(means_of(said("ann", None)).by_rater["ann"])
    assert (found["n"], found["mean"]) == (1, None)
    assert found["entropy"] == pytest.approx(np.log(2))
