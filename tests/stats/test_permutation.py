"""Permutation tests and McNemar's."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
import scipy.stats as reference
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels

from assize.base.errors import DataError
from assize.results.numbers import LeastP
from assize.stats import mcnemar, sign_flip, sign_flips, swap

RNG = np.random.default_rng


def test_sign_flips_are_scipys() -> None:
    values = RNG(1).normal(0.4, 1, size=10)
    expected = reference.permutation_test(
        (values,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", vectorized=True
    )
    found = sign_flip(values, rng=RNG(0))
    assert found.p_value == pytest.approx(expected.pvalue)
    assert (found.exact, found.permutations, found.monte_carlo_error) == (True, 2**10, 0)


def test_whole_clusters_are_flipped() -> None:
    values, clusters = np.array([1.0, 1, 2, 3, -1, 4]), [0, 0, 1, 1, 2, 2]
    sums = [2.0, 5.0, 3.0]
    flipped = [
        sum(s * v for s, v in zip(signs, sums, strict=True)) for signs in product(*[(1, -1)] * 3)
    ]
    expected = np.mean([abs(one) >= 10 for one in flipped])
    found = sign_flip(values, clusters=clusters, rng=RNG(0))
    assert found.p_value == expected
    assert found.clusters == 3


def test_random_flips_come_close_to_all_flips_within_their_error() -> None:
    values = RNG(2).normal(0.5, 1, size=12)
    exact = sign_flip(values, rng=RNG(0), permutations=5_000)
    assert exact.exact
    drawn = sign_flip(values, rng=RNG(0), permutations=4_000)
    assert not drawn.exact
    assert abs(drawn.p_value - exact.p_value) < 4 * drawn.monte_carlo_error


def test_a_swap_of_means_is_a_sign_flip() -> None:
    first, second = RNG(3).normal(size=(2, 9))
    expected = sign_flip(first - second, rng=RNG(0)).p_value
    found = swap(lambda x, y: np.mean(x - y, axis=1), first, second, rng=RNG(0))
    assert found.p_value == pytest.approx(expected)


def test_clusters_are_swapped_whole() -> None:
    first, second = np.array([1.0, 2, 3, 4]), np.zeros(4)
    found = swap(
        lambda x, y: np.mean(x - y, axis=1), first, second, clusters=[0, 0, 1, 1], rng=RNG(0)
    )
    assert (found.permutations, found.p_value) == (4, 0.5)


@pytest.mark.parametrize(("only_first", "only_second"), [(0, 0), (1, 7), (5, 5), (30, 12)])
def test_mcnemar_is_statsmodels(only_first: int, only_second: int) -> None:
    both = [(1, 1)] * 10 + [(0, 0)] * 4
    rows = [*both, *[(1, 0)] * only_first, *[(0, 1)] * only_second]
    first, second = np.array(rows).T
    table = [[10, only_first], [only_second, 4]]
    expected = mcnemar_of_statsmodels(table, exact=True).pvalue
    found = mcnemar(first, second)
    assert found.p_value == pytest.approx(expected)
    assert found.details == {"only_first": only_first, "only_second": only_second}


def test_too_little_data_is_nan_with_a_reason() -> None:
    nothing = np.full((4, 1), np.nan)
    (flips,) = sign_flips(nothing, clusters=np.arange(4), rng=RNG(0))
    for found in (sign_flip([np.nan], rng=RNG(0)), mcnemar([np.nan], [1]), flips):
        assert np.isnan(found.p_value)
        assert found.reason is not None
    assert sign_flip([0, 0, 0], rng=RNG(0)).p_value == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sign_flip([1], permutations=0, rng=RNG(0)), "`permutations` must be at least 1"),
        (lambda: mcnemar([1], [1, 0]), "`first` has 1, `second` has 2"),
        (lambda: mcnemar([1, 0], [1, 2]), "`second` must be 0, 1 or NaN"),
    ],
)
def test_bad_arguments_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()


def test_many_columns_at_once_give_what_each_gives_alone_where_all_flips_are_looked_at() -> None:
    rng = np.random.default_rng(0)
    gaps = rng.normal(size=(8, 3))
    gaps[:, 1] += 2
    gaps[2, 2] = np.nan
    items = np.array([0, 0, 1, 2, 3, 3, 4, 5])
    together = sign_flips(gaps, clusters=items, permutations=10_000, rng=rng)
    for column, test in zip(gaps.T, together, strict=True):
        alone = sign_flip(column, clusters=items, permutations=10_000, rng=rng)
        assert (test.p_value, test.n, test.unscored) == (alone.p_value, alone.n, alone.unscored)
        assert test.statistic == pytest.approx(alone.statistic)
        assert test.exact


def test_a_random_test_that_found_nothing_as_extreme_says_that_p_is_its_floor() -> None:
    values = np.linspace(1, 2, 40)
    samples = (values, values[:5], np.array([1.0, -1.0] * 20))
    drawn, exact, either = (sign_flip(x, permutations=99, rng=RNG(0)).p_value for x in samples)
    assert (drawn, exact) == (0.01, 2 / 32)
    assert [isinstance(p, LeastP) for p in (drawn, exact, either)] == [True, False, False]
