"""Bradley-Terry and Thurstone with ties."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats as reference
import statsmodels.api as sm

from assize.errors import DataError
from assize.stats import rank_systems


def davidson(n: int, strengths: np.ndarray, tie: float, seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, len(strengths), n)
    second = (first + rng.integers(1, len(strengths), n)) % len(strengths)
    gap = strengths[first] - strengths[second]
    weights = np.exp(np.stack([gap / 2, np.full(n, tie), -gap / 2]))
    edges = (weights / weights.sum(axis=0)).cumsum(axis=0)
    drawn = (rng.random(n) > edges).sum(axis=0)
    return first, second, 1.0 - drawn


def test_two_systems_by_hand() -> None:
    # 3 wins against 1: the log odds are log 3, shared half and half
    result = rank_systems([0, 0, 0, 1], [1, 1, 1, 0], [1, 1, 1, 1])
    strengths = [one.estimate for one in result.strengths]
    assert strengths == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-5)
    assert result.order == (0, 1)
    normal = rank_systems([0, 0, 0, 1], [1, 1, 1, 0], [1, 1, 1, 1], model="thurstone")
    assert normal.strengths[0].estimate == pytest.approx(reference.norm.ppf(0.75) / 2, abs=1e-5)


def test_ties_by_hand() -> None:
    # 2 wins, 2 losses, 4 ties of equals: nu = 4 / 2, the band holds half
    sides = np.zeros(8, dtype=int), np.ones(8, dtype=int), [1, 1, -1, -1, 0, 0, 0, 0]
    result = rank_systems(*sides)
    assert [one.estimate for one in result.strengths] == pytest.approx([0, 0], abs=1e-8)
    assert result.tie == pytest.approx(np.log(2), abs=1e-5)
    assert rank_systems(*sides, model="thurstone").tie == pytest.approx(
        reference.norm.ppf(0.75), abs=1e-4
    )


def test_without_ties_it_is_logistic_regression() -> None:
    first, second, outcome = davidson(400, np.array([0.8, 0.1, -0.9]), -50.0, 0)
    design = np.zeros((400, 3))
    design[np.arange(400), first], design[np.arange(400), second] = 1, -1
    fit = sm.GLM(outcome > 0, design[:, :2], family=sm.families.Binomial()).fit()
    expected = np.append(fit.params, 0) - np.mean(np.append(fit.params, 0))
    result = rank_systems(first, second, outcome)
    assert [one.estimate for one in result.strengths] == pytest.approx(expected, abs=1e-4)
    assert np.isnan(result.tie)


@pytest.mark.parametrize("model", ["bradley-terry", "thurstone"])
def test_exchanging_the_sides_changes_nothing(model: str) -> None:
    first, second, outcome = davidson(300, np.array([0.5, 0, -0.5]), -0.5, 1)
    one = rank_systems(first, second, outcome, model=model)  # type: ignore[arg-type]
    two = rank_systems(second, first, -outcome, model=model)  # type: ignore[arg-type]
    assert [s.estimate for s in one.strengths] == pytest.approx(
        [s.estimate for s in two.strengths], abs=1e-6
    )


def test_true_strengths_are_covered() -> None:
    truth, hits = np.array([1.0, 0.3, -0.3, -1.0]), []
    for seed in range(150):
        result = rank_systems(*davidson(300, truth, -0.7, seed))
        hits += [
            low <= value <= high
            for value, (low, high) in zip(
                truth, [one.interval for one in result.strengths], strict=True
            )
        ]
    # 600 intervals, dependent in fours: four standard errors are taken as of 150
    assert abs(np.mean(hits) - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 150)


def test_copied_pairs_in_clusters_do_not_narrow_the_interval() -> None:
    pairs = davidson(200, np.array([0.5, 0, -0.5]), -0.7, 2)
    copied = [np.repeat(column, 6) for column in pairs]
    alone, grouped = (
        rank_systems(*pairs),
        rank_systems(*copied, clusters=np.repeat(np.arange(200), 6)),
    )
    assert grouped.strengths[0].interval == pytest.approx(alone.strengths[0].interval, abs=1e-3)


def test_a_system_that_only_won_has_no_strength_unless_there_is_a_prior() -> None:
    first, second, outcome = [0, 0, 1, 2], [1, 2, 2, 1], [1, 1, 1, 1]
    result = rank_systems(first, second, outcome)
    assert result.reason is not None
    assert "give a `prior`" in result.reason
    assert np.isnan(result.strengths[0].estimate)
    pulled = rank_systems(first, second, outcome, prior=1.0)
    assert pulled.order[0] == 0
    assert np.isfinite(pulled.strengths[0].interval).all()


def test_unscored_pairs_are_counted() -> None:
    result = rank_systems([0, 1, 0], [1, 0, 1], [1, 1, np.nan])
    assert (result.n, result.unscored) == (2, 1)
    assert rank_systems([0], [1], [np.nan]).reason == "needs pairs of at least 2 systems"


def test_bad_arguments_are_named() -> None:
    with pytest.raises(DataError, match="`first` and `second` must be codes of two different"):
        rank_systems([0], [0], [1])
    with pytest.raises(DataError, match="`model` must be"):
        rank_systems([0], [1], [1], model="elo")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="`first` has 2"):
        rank_systems([0, 1], [1], [1])
