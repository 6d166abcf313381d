from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, skew
from tests.calibrate.conftest import make_table

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._artefact import load, save
from assize.calibrate._calibrator import predict
from assize.calibrate._data.binning import binned, place_of_score, quantiles
from assize.calibrate._data.forms import Scale
from assize.judgments import JudgmentTable

SECONDS = Question("seconds", kind="number", range=(0, 100))


def test_scores_are_cut_at_their_quantiles() -> None:
    question = binned(SECONDS, np.arange(1, 1001))
    assert len(question.answers) == 20
    assert question.values == pytest.approx(25.5 + 50 * np.arange(20))
    assert [place_of_score(question, score) for score in (-5, 1, 50, 51, 1000, 9e9)] == [
        0,
        0,
        0,
        1,
        19,
        19,
    ]


def test_a_score_that_many_gave_is_not_split() -> None:
    scores = np.r_[np.zeros(500), np.linspace(1, 2, 500)]
    question = binned(SECONDS, scores)
    assert question.values is not None
    assert question.values[0] == 0
    assert question.answers[:2] == ("0", "0 to 1.0982")
    assert len(question.answers) == 11


def test_few_ratings_bear_few_intervals_and_one_value_none() -> None:
    assert len(binned(SECONDS, np.arange(35)).answers) == 3
    assert len(binned(SECONDS, [1.0, 2.0]).answers) == 2
    for scores in ([3.0] * 40, [], [1.0]):
        with pytest.raises(DataError, match="too few or too much alike"):
            binned(SECONDS, scores)


def test_most_having_given_the_highest_score_leaves_two_intervals() -> None:
    assert binned(SECONDS, [1.0, 2.0, *[3.0] * 60]).values == (1.5, 3.0)


def test_quantiles_lie_within_the_intervals() -> None:
    scale = Scale.of(binned(SECONDS, np.arange(0, 101)))
    parts = len(scale)
    even = np.full((1, parts), 1 / parts)
    assert quantiles(even, scale, [0, 0.25, 0.5, 1])[0] == pytest.approx([0, 25, 50, 100], abs=1)
    assert np.isnan(quantiles(even * np.nan, scale, [0.5])).all()


def simulated(rows: int) -> tuple[list[Judgment], list[Judgment], np.ndarray]:
    """Scores, skewed ratings by six raters of different level, and the true medians."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=rows)
    level = np.linspace(-0.5, 0.5, 6)
    rater = rng.integers(6, size=rows)
    middle = 0.8 * x + level[rater]
    answers = [
        Judgment(f"i{n}", "m", "s", score=float(value), kind="model") for n, value in enumerate(x)
    ]
    seconds = np.exp(middle + 0.5 * rng.normal(size=rows))
    ratings = [
        Judgment(f"i{n}", f"r{rater[n]}", "seconds", score=float(value), kind="person")
        for n, value in enumerate(seconds)
    ]
    return answers, ratings, middle


def test_a_skewed_density_is_recovered_and_kept(tmp_path: Path) -> None:
    answers, ratings, middle = simulated(3_000)
    features = features_of(make_table(answers))
    forms = forms_of(features, JudgmentTable.of(ratings, [SECONDS]), "seconds")
    train = np.arange(3_000) < 2_000
    fitted = fit_default(forms.take(train))
    save(fitted, tmp_path)
    assert load(tmp_path).target == fitted.target
    held = forms.take(~train)
    p = predict(fitted, features, range(6))[held.item, held.rater]
    low, median, high = quantiles(p, fitted.target, [0.1, 0.5, 0.9]).T
    true = middle[~train]
    assert np.abs(np.log(median) - true).mean() < 0.08  # its own noise is 0.5
    assert np.log(high / low).mean() == pytest.approx(0.5 * 2 * norm.ppf(0.9), rel=0.15)
    seconds = np.array([row.score for row in ratings], dtype=float)[~train]
    assert skew(seconds) > 1.5
    assert ((seconds > low) & (seconds < high)).mean() == pytest.approx(0.8, abs=0.03)
