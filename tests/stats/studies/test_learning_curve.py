"""How good methods are with fewer rows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.stats.studies.conftest import DATA, ITEMS, least_squares, mean

from assize.results import Estimate, to_json
from assize.stats._studies import (
    MEASURES,
    Folds,
    Truth,
    folds_of,
    learning_curve,
    points,
    spread_of,
    subsamples,
)


def test_a_curve_falls_to_the_noise_where_there_is_something_to_learn() -> None:
    found = learning_curve(
        {"line": least_squares, "mean": mean},
        DATA,
        Truth(DATA[:, 1], ITEMS),
        folds_of(ITEMS),
        shares=(0.02, 1.0),
        count=12,
        measures={"rmse": MEASURES["rmse"]},
    )
    assert [(one.method, one.rows) for one in found] == [
        ("line", 3),
        ("line", 160),
        ("mean", 3),
        ("mean", 160),
    ]
    few, many = (one.measures["rmse"] for one in found[:2])
    assert few.estimate > 1.2 * many.estimate
    assert many.estimate == pytest.approx(0.5, abs=0.07)
    assert few.interval[0] <= few.estimate <= few.interval[1]
    assert few.interval[1] - few.interval[0] > many.interval[1] - many.interval[0]
    value = to_json(found[0])
    assert (value["rows"], value["subsamples"], value["measures"]["rmse"]["n"]) == (3, 12, 12)


def test_a_spread_is_the_mean_with_the_5_and_95_percent_quantiles() -> None:
    values = np.append(np.arange(21.0), np.nan)
    assert spread_of(values) == Estimate(10.0, (1.0, 19.0), 21, 1)  # every 5% is a step of one
    nothing = {"estimate": None, "interval": [None, None], "n": 0, "unscored": 1}
    assert nothing.items() <= to_json(spread_of(np.array([np.nan]))).items()


def test_subsamples_are_drawn_from_what_may_be_learnt_from_and_has_a_truth() -> None:
    values = np.where(np.arange(60) % 6 == 0, np.nan, 1.0)
    truth, folds = Truth(values, np.arange(60)), folds_of(range(60), folds=3, seeds=2)
    for one in subsamples(folds, truth, (0.1, 0.5), 6):
        for split in one:
            assert truth.known[split.fitted].all()
            assert truth.known[split.held].all()
            assert len(set(split.fitted.tolist())) == len(split.fitted)
            assert not set(split.fitted) & set(split.held)
    test = folds_of(range(60), folds=3, test=np.arange(60) >= 50)
    for split in subsamples(test, truth, (1.0,), 2)[0]:
        assert split.held.min() >= 50
        assert split.fitted.max() < 50


def test_each_size_is_drawn_once_and_alike_subsamples_are_counted() -> None:
    truth = Truth(np.arange(16.0), np.arange(16))
    few, whole = subsamples(folds_of(range(16), folds=2, seeds=2), truth, (0.05, 0.06, 1.0), 6)
    assert [len(one.fitted) for one in (*few, *whole)] == [1] * 6 + [8] * 6
    said = [np.zeros(8)] * 12
    assert [one.distinct for one in points("zero", [few, whole], said, truth)] == [
        len({one.fitted.tobytes() + one.held.tobytes() for one in few}),
        4,  # two folds, each of two seeds
    ]


def test_subsamples_are_the_same_whatever_else_is_drawn() -> None:
    truth, folds = Truth(np.arange(40.0), np.arange(40)), folds_of(range(40), folds=2)
    one = subsamples(folds, truth, (0.5,), 3)[0]
    two = subsamples(folds, truth, (0.1, 0.5), 5)[1]
    for a, b in zip(one, two[:3], strict=True):
        assert a.fitted.tolist() == b.fitted.tolist()
    # By hand: the number of the subsample and 3 make the generator, folds take turns.
    fold = folds.fold[0]
    pool = np.flatnonzero(fold != 0)
    drawn = np.random.default_rng([0, 3]).choice(pool, 10, replace=False)
    assert one[0].fitted.tolist() == sorted(drawn.tolist())


def test_points_of_probabilities_have_a_log_loss() -> None:
    y = np.arange(12) % 2
    truth = Truth(y.astype(float), np.arange(12), y, (0.0, 1.0))
    drawn = subsamples(Folds(np.array([np.arange(12) // 6])), truth, (1.0,), 2)
    said = [np.full((len(one.held), 2), 0.5) for one in drawn[0]]
    (point,) = points("even", drawn, said, truth)
    assert point.measures["log_loss"].estimate == pytest.approx(np.log(2))
    assert point.measures["rmse"].estimate == pytest.approx(0.5)
    assert point.measures["pearson"].n == 0
