"""Agreement between raters: by hand, against reference tools, properties, recovery."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from assize.base.errors import DataError
from assize.stats import Estimate, agreement_bins, alpha, cohen_kappa, fleiss_kappa, raw_agreement

NAN = float("nan")
CODES = arrays(np.int64, (4, 15), elements=st.integers(0, 3))
HOLED = arrays(np.float64, (4, 15), elements=st.sampled_from([0.0, 1, 2, 5, NAN]))
LEVELS = ["nominal", "ordinal", "interval"]


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


@given(HOLED, st.permutations(range(4)), st.permutations(range(15)))
def test_fleiss_kappa_ignores_the_order_of_raters_and_items(
    ratings: np.ndarray, raters: list[int], items: list[int]
) -> None:
    other = ratings[raters][:, items]
    assert fleiss_kappa(ratings).estimate == pytest.approx(
        fleiss_kappa(other).estimate, nan_ok=True
    )


def test_kappa_of_simulated_raters_is_recovered() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 100_000)
    # each rater knows the answer with probability s = .8, else guesses: kappa = s * s
    first, second = (
        np.where(rng.random(100_000) < 0.8, truth, rng.integers(0, 4, 100_000)) for _ in range(2)
    )
    both = [first, second]
    for found in (cohen_kappa(*both), fleiss_kappa(both), alpha(both)):
        assert found.estimate == pytest.approx(0.64, abs=0.01)


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
    assert alpha(same).reason == fleiss_kappa(same).reason == "all ratings are the same"
    assert cohen_kappa(same[0], same[1]).reason == "both raters gave one and the same answer"
    assert raw_agreement(same).estimate == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alpha([1, 2, 3]), "`ratings` must have 2 dimension"),
        (lambda: fleiss_kappa([[1, np.inf]]), "`ratings` holds an infinite value"),
        (lambda: cohen_kappa([1], [1, 2]), "`first` has 1, `second` has 2"),
        (lambda: cohen_kappa([1], [1], weights="cubic"), "must be none, linear or quadratic"),  # type: ignore[arg-type]
        (lambda: cohen_kappa([4], [1], order=(1, 2, 3)), "`order` lacks the answer 4"),
    ],
)
def test_bad_arguments_are_named(call: Callable[[], Estimate], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()


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
        assert (found.rated[item], found.largest[item]) == (len(present), top[0])


def test_items_of_one_cluster_are_one_unit_of_the_interval() -> None:
    # items 0 and 1 are perfect, 2 and 3 are not; each stands three times in its cluster
    ratings = np.repeat([[1.0, 1, 1, 1], [1, 1, 2, 2]], 3, axis=1)
    apart = agreement_bins(ratings)
    together = agreement_bins(ratings, clusters=np.repeat(np.arange(4), 3))
    assert together.perfect.estimate == apart.perfect.estimate == 0.5
    assert (together.perfect.clusters, apart.perfect.clusters) == (4, 12)
    assert np.diff(together.perfect.interval) > np.diff(apart.perfect.interval)
