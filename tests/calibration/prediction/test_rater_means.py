from __future__ import annotations

import numpy as np
import pytest

from assize.calibration.prediction.rater_means import RaterMeans
from assize.judgment import Judgment, Unscored


def said(rater: str, score: float | None, entropy: float = 0.5) -> Judgment:
    return Judgment("i", f"calibration:{rater}", "Q0", score=score, details={"entropy": entropy})


@pytest.mark.parametrize("at", [0.0, 1e9])
def test_means_and_deviations_are_those_of_the_scores(at: float) -> None:
    means = RaterMeans()
    for score, entropy in ((1.0, 0.2), (2.0, 0.4), (4.5, 0.6)):
        means.add(said("ann", at + score, entropy))
    means.add(said("bob", at))
    ann = means.by_rater["ann"]
    assert ann.n == 3
    assert ann.mean == pytest.approx(at + 2.5)
    assert ann.deviation == pytest.approx(np.std([1.0, 2.0, 4.5]))
    assert ann.entropy == pytest.approx(0.4)
    assert means.by_rater["bob"].deviation == 0


def test_what_is_unscored_is_counted_and_has_no_mean() -> None:
    means = RaterMeans()
    lost = Judgment("i", "calibration:ann", "Q0", unscored=Unscored("missing", "nothing"))
    means.add(lost)
    means.add(lost)
    assert means.unscored == 2
    nothing = {"n": 0, "unscored": 2, "mean": None, "deviation": None, "entropy": None}
    assert means.to_json() == {"ann": nothing}


def test_unordered_answers_have_an_entropy_and_no_mean() -> None:
    means = RaterMeans()
    means.add(said("ann", None))
    found = means.to_json()["ann"]
    assert (found["n"], found["mean"], found["entropy"]) == (1, None, 0.5)
