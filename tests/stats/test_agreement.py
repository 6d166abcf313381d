"""Agreement between raters: by hand, against reference tools, properties, recovery."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from assize.errors import DataError
from assize.stats import (
    Estimate,
    Interval,
    agreement_bins,
    alpha,
    cohen_kappa,
    fleiss_kappa,
    raw_agreement,
)

NAN = float("nan")
CODES = arrays(np.int64, (4, 15), elements=st.integers(0, 3))
HOLED = arrays(np.float64, (4, 15), elements=st.sampled_from([0.0, 1, 2, 5, NAN]))
LEVELS = ["nominal", "ordinal", "interval"]


def test_cohens_kappa_by_hand() -> None:
    # agree 3 of 4; by chance (2*2 + 2*1 + 0) / 16 = 3/8: (3/4 - 3/8) / (5/8)
    assert cohen_kappa(list("aabb"), list("aabc")).estimate == pytest.approx(0.6)


def test_alpha_by_hand() -> None:
    # items 00 01 11: coincidences 00:2, 01:1, 10:1, 11:2; n = 6, n0 = n1 = 3
    # 1 - (6 - 1) * 2 / (2 * 3 * 3) = 4/9
    assert alpha([[0, 0, 1], [0, 1, 1]]).estimate == pytest.approx(4 / 9)


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


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@given(codes=CODES)
def test_cohens_kappa_is_scikit_learns(weights: str, codes: np.ndarray) -> None:
    ours = cohen_kappa(codes[0], codes[1], weights=weights)  # type: ignore[arg-type]
    if len(np.unique(codes[:2])) < 2:
        assert np.isnan(ours.estimate)
        return
    name = None if weights == "none" else weights
    assert ours.estimate == pytest.approx(cohen_kappa_score(codes[0], codes[1], weights=name))


@given(codes=CODES)
def test_fleiss_kappa_is_statsmodels(codes: np.ndarray) -> None:
    ours = fleiss_kappa(codes)
    if len(np.unique(codes)) < 2:
        assert np.isnan(ours.estimate)
        return
    counts, _ = aggregate_raters(codes.T)
    assert ours.estimate == pytest.approx(fleiss_of_statsmodels(counts))


def test_an_unused_answer_in_the_order_widens_the_distance() -> None:
    first, second = [1, 1, 2, 4], [1, 2, 2, 4]
    seen = cohen_kappa(first, second, weights="quadratic")
    asked = cohen_kappa(first, second, weights="quadratic", order=(1, 2, 3, 4))
    expected = cohen_kappa_score(first, second, weights="quadratic", labels=[1, 2, 3, 4])
    assert asked.estimate == pytest.approx(expected)
    assert asked.estimate != pytest.approx(seen.estimate)
    with pytest.raises(DataError, match="`order` lacks the answer 4"):
        cohen_kappa(first, second, order=(1, 2, 3))


@given(HOLED, st.permutations(range(4)), st.permutations(range(15)))
def test_agreement_ignores_the_order_of_raters_and_items(
    ratings: np.ndarray, raters: list[int], items: list[int]
) -> None:
    other = ratings[raters][:, items]
    for level in LEVELS:
        one, two = (alpha(r, level=level) for r in (ratings, other))  # type: ignore[arg-type]
        assert one.estimate == pytest.approx(two.estimate, nan_ok=True)
        assert one.interval == pytest.approx(two.interval, nan_ok=True)
    assert fleiss_kappa(ratings).estimate == pytest.approx(
        fleiss_kappa(other).estimate, nan_ok=True
    )
    assert np.array_equal(agreement_bins(other).reached, agreement_bins(ratings).reached[items])


@given(HOLED)
def test_nominal_agreement_ignores_names_and_interval_alpha_a_linear_scale(
    ratings: np.ndarray,
) -> None:
    renamed = np.select([ratings == 0, ratings == 5], [7.0, -1.0], ratings)
    assert alpha(renamed).estimate == pytest.approx(alpha(ratings).estimate, nan_ok=True)
    moved = alpha(3 * ratings - 2, level="interval").estimate
    assert moved == pytest.approx(alpha(ratings, level="interval").estimate, nan_ok=True)


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
    how = Interval("percentile", resamples=4_000)
    merged = alpha(ratings, how=how, rng=rng)
    apart = alpha(ratings, clusters=np.arange(200), how=how, rng=rng)
    assert merged.interval == pytest.approx(apart.interval, abs=0.01)
    bca = alpha(ratings, how=Interval("bca", resamples=4_000), rng=rng)
    assert bca.interval == pytest.approx(alpha(ratings).interval, abs=0.02)


def test_crossed_intervals_are_wider_and_at_unit_weights_the_value_is_alpha() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=80)
    ratings = np.round(2 * truth + rng.normal(size=(5, 80)) + rng.normal(size=(5, 1)))
    ratings[rng.random((5, 80)) < 0.2] = NAN
    for level in LEVELS:
        plain = alpha(ratings, level=level)  # type: ignore[arg-type]
        both = alpha(ratings, level=level, crossed=True, rng=rng)  # type: ignore[arg-type]
        assert both.estimate == pytest.approx(plain.estimate)
        assert np.diff(both.interval) > np.diff(plain.interval)
    with pytest.raises(DataError, match="`crossed` needs `rng`"):
        alpha(ratings, crossed=True)


def test_kappa_of_simulated_raters_is_recovered() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 100_000)
    # each rater knows the answer with probability s = .8, else guesses: kappa = s * s
    first, second = (
        np.where(rng.random(100_000) < 0.8, truth, rng.integers(0, 4, 100_000)) for _ in range(2)
    )
    assert cohen_kappa(first, second).estimate == pytest.approx(0.64, abs=0.01)
    assert fleiss_kappa([first, second]).estimate == pytest.approx(0.64, abs=0.01)
    assert alpha([first, second]).estimate == pytest.approx(0.64, abs=0.01)


def test_raw_agreement_is_the_mean_over_items_of_agreeing_pairs() -> None:
    # 1 of 3 pairs, none, 1 of 1
    ratings = np.array([[1, 1, 2], [1, 2, 2], [3, 3, NAN]])
    assert raw_agreement(ratings).estimate == pytest.approx((1 / 3 + 0 + 1) / 3)


BINS = np.array(
    [
        [1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 2, NAN],
        [1, 1, 2, 2, 3, NAN],
        [1, 2, 3, 2, 4, NAN],
        [1, 2, 4, NAN, 5, NAN],
    ]
)  # perfect; 3 of 5; 2 of 5; 2-2; all differ; one rating


def test_bins_by_hand() -> None:
    found = agreement_bins(BINS)
    assert found.reached.tolist() == [3, 2, 1, 0, 0, -1]
    shares = [found.perfect, found.majority, found.plurality, found.none]
    assert [one.estimate for one in shares] == pytest.approx([0.2, 0.2, 0.2, 0.4])
    assert {one.unscored for one in shares} == {1}
    nested = agreement_bins(BINS, exclusive=False)
    assert [nested.perfect.estimate, nested.majority.estimate, nested.plurality.estimate] == (
        pytest.approx([0.2, 0.4, 0.6])
    )


@given(HOLED)
def test_exclusive_bins_add_up_to_one(ratings: np.ndarray) -> None:
    found = agreement_bins(ratings)
    total = sum(
        one.estimate for one in (found.perfect, found.majority, found.plurality, found.none)
    )
    rated = (~np.isnan(ratings)).sum(axis=0) >= 2
    assert total == pytest.approx(1 if rated.any() else NAN, nan_ok=True)
    for item, reached in enumerate(found.reached):
        present = ratings[:, item][~np.isnan(ratings[:, item])]
        if len(present) < 2:
            assert reached == -1
            continue
        _, counts = np.unique(present, return_counts=True)
        top = np.sort(counts)[::-1]
        expected = 3 if len(top) == 1 else 2 if top[0] > len(present) / 2 else top[0] > top[1]
        assert reached == expected


@pytest.mark.parametrize("statistic", [alpha, fleiss_kappa, raw_agreement])
def test_one_rater_or_nothing_is_nan_with_a_reason(statistic: Callable[..., Estimate]) -> None:
    nothing: list[np.ndarray[Any, np.dtype[np.float64]]] = [
        np.array([[1.0, 2, 3]]),
        np.full((3, 4), NAN),
        np.empty((2, 0)),
    ]
    for ratings in nothing:
        result = statistic(ratings)
        assert np.isnan(result.estimate)
        assert result.reason == "no item has two ratings"


def test_one_class_is_nan_with_a_reason() -> None:
    same = np.ones((3, 5))
    assert alpha(same).reason == "all ratings are the same"
    assert fleiss_kappa(same).reason == "all ratings are the same"
    assert cohen_kappa(same[0], same[1]).reason == "both raters gave one and the same answer"
    assert raw_agreement(same).estimate == 1


def test_bad_arguments_are_named() -> None:
    with pytest.raises(DataError, match="`ratings` must have 2 dimension"):
        alpha([1, 2, 3])
    with pytest.raises(DataError, match="`ratings` holds an infinite value"):
        fleiss_kappa([[1, np.inf]])
    with pytest.raises(DataError, match="`level` must be nominal, ordinal or interval"):
        alpha([[1, 2], [1, 2]], level="ratio")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="`first` has 1, `second` has 2"):
        cohen_kappa([1], [1, 2])
    with pytest.raises(DataError, match="`weights` must be none, linear or quadratic"):
        cohen_kappa([1], [1], weights="cubic")  # type: ignore[arg-type]
