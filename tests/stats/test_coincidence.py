"""Krippendorff's alpha: by hand, against the reference tool, properties, its intervals."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.base.errors import DataError
from assize.stats import Interval, alpha

NAN = float("nan")
HOLED = arrays(np.float64, (4, 15), elements=st.sampled_from([0.0, 1, 2, 5, NAN]))
LEVELS = ["nominal", "ordinal", "interval"]


def test_alpha_of_krippendorffs_own_example() -> None:
    # Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section D: four
    # observers, missing data; the paper prints .743, .815 and .849.
    ratings = np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
            [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
        ]
    )
    printed = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}
    for level, value in printed.items():
        result = alpha(ratings, level=level)  # type: ignore[arg-type]
        assert result.estimate == pytest.approx(value, abs=5e-4)
        assert (result.n, result.unscored) == (11, 1)


@pytest.mark.parametrize("level", LEVELS)
@given(ratings=HOLED)
def test_alpha_is_the_reference_tools(level: str, ratings: np.ndarray) -> None:
    rated_twice = ratings[:, (~np.isnan(ratings)).sum(axis=0) >= 2]
    ours = alpha(ratings, level=level)  # type: ignore[arg-type]
    if len(np.unique(rated_twice[~np.isnan(rated_twice)])) < 2:
        assert np.isnan(ours.estimate)
        return
    expected = krippendorff.alpha(rated_twice, level_of_measurement=level)  # type: ignore[arg-type]
    assert ours.estimate == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("many", [False, True])
def test_the_jackknife_leaves_out_items_one_by_one(level: str, many: bool) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 100 if many else 3, 60)
    ratings = truth + rng.integers(0, 3, (4, 60)).astype(float)
    ratings[rng.random((4, 60)) < 0.2] = NAN
    keep = (~np.isnan(ratings)).sum(axis=0) >= 2
    kept = ratings[:, keep]
    result = alpha(ratings, level=level)  # type: ignore[arg-type]
    left_out = np.array(
        [
            krippendorff.alpha(np.delete(kept, item, 1), level_of_measurement=level)  # type: ignore[arg-type]
            for item in range(kept.shape[1])
        ]
    )
    count = len(left_out)
    error = np.sqrt((count - 1) / count * np.sum((left_out - left_out.mean()) ** 2))
    assert result.clusters == count
    reach = (result.interval[1] - result.interval[0]) / 2
    assert result.interval[1] == 1 or reach == pytest.approx(error * 2.0, rel=0.05)
    # clusters of one item each are no clusters
    alone = alpha(ratings, level=level, clusters=np.arange(60))  # type: ignore[arg-type]
    assert alone.interval == pytest.approx(result.interval)


def test_merging_equal_items_draws_the_same_bootstrap_distribution() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 200)
    ratings = np.where(rng.random((3, 200)) < 0.7, truth, rng.integers(0, 3, (3, 200)))
    merged = alpha(ratings, interval=Interval("percentile", resamples=4_000))
    other = Interval("percentile", resamples=4_000, seed=1)
    apart = alpha(ratings, clusters=np.arange(200), interval=other)
    assert merged.interval == pytest.approx(apart.interval, abs=0.01)


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(DataError, match="`level` must be nominal, ordinal or interval"):
        alpha([[1, 2], [1, 2]], level="ratio")  # type: ignore[arg-type]
