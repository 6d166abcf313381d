from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import NOMINAL, SCALE

from assize.base.errors import DataError
from assize.calibrate._data.forms import Scale
from assize.calibrate._prediction.compare_systems import PredictedSet, compare_sets


def some(n: int, raters: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(3), size=(n, raters))


def predicted(
    p: np.ndarray, sets: dict[str, np.ndarray], keys: list[str]
) -> dict[str, PredictedSet]:
    return {
        name: PredictedSet(p[rows], np.zeros_like(p[rows]), [keys[row] for row in rows])
        for name, rows in sets.items()
    }


def compared(
    p: np.ndarray,
    sets: dict[str, np.ndarray],
    keys: list[str] | None = None,
    scale: Scale | None = None,
    **more: Any,
) -> Any:
    """Sets of rows of `p`; their conversations are called by their rows unless `keys` tell."""
    names = [str(row) for row in range(len(p))] if keys is None else keys
    fixed: dict[str, Any] = {"rng": np.random.default_rng(1), "resamples": 400} | more
    return compare_sets(predicted(p, sets, names), scale or SCALE, **fixed)


def width(estimate: Any) -> float:
    low, high = estimate.interval
    return float(high - low)


def test_figures_are_those_of_the_mean_distribution() -> None:
    p = np.array([[[0.2, 0.3, 0.5]], [[0.4, 0.5, 0.1]]])  # mean 0.3, 0.4, 0.3
    found = compared(p, {"a": np.arange(2)})
    assert [one.share.estimate for one in found.answers] == pytest.approx([0.3, 0.4, 0.3])
    steps = [one.at_most.estimate for one in found.answers if one.at_most is not None]
    assert steps == pytest.approx([0.3, 0.7])
    assert found.sets["a"].mean.estimate == pytest.approx(2.0)


def test_each_source_widens_the_interval_by_what_it_should() -> None:
    """Raters who differ by a lot, items by some: each variance is known by hand."""
    rng = np.random.default_rng(0)
    shift = np.clip(0.5 + rng.normal(0, 0.2, (1, 8)) + rng.normal(0, 0.1, (200, 1)), 0.01, 0.99)
    p = np.stack([1 - shift, np.zeros_like(shift), shift], axis=2)
    score = 1 + 2 * shift
    expected = {
        "raters": score.mean(axis=0).std() / np.sqrt(8),
        "conversations": score.mean(axis=1).std() / np.sqrt(200),
        "answers": np.sqrt((4 * shift * (1 - shift)).mean() / shift.size),
    }
    for source, error in expected.items():
        found = compared(p, {"a": np.arange(200)}, sources=[source], resamples=2_000)
        assert width(found.sets["a"].mean) == pytest.approx(3.92 * error, rel=0.12)


def test_sets_that_share_conversations_are_compared_in_pairs() -> None:
    first = some(60, raters=3)
    second = 0.95 * first + 0.05 * np.array([0, 0, 1])
    p, sets = np.concatenate([first, second]), {"a": np.arange(60), "b": np.arange(60, 120)}
    same = [str(n) for n in range(60)] * 2
    paired, apart = (
        compared(p, sets, keys, sources=["conversations"]).differences[0] for keys in (same, None)
    )
    assert (paired.shared, apart.shared) == (60, 0)
    assert paired.mean.estimate == pytest.approx(apart.mean.estimate)
    assert paired.mean.interval[0] > 0
    assert width(paired.mean) < 0.2 * width(apart.mean)


def test_a_set_compared_with_itself_does_not_differ() -> None:
    sets = {"a": np.arange(30), "b": np.arange(30)}
    gap = compared(some(30), sets, sources=["raters", "conversations"]).differences[0].mean
    assert gap.estimate == 0
    assert gap.reason == "no variation between resamples"


def test_unordered_answers_have_shares_only() -> None:
    found = compared(some(9), {"a": np.arange(9)}, scale=NOMINAL, resamples=50)
    assert found.sets["a"].mean is None
    assert [(one.answer, one.at_most) for one in found.answers] == [(name, None) for name in "abc"]


def test_what_could_not_be_predicted_is_counted_and_an_empty_set_refused() -> None:
    p = some(6)
    p[4:] = np.nan
    found = compared(p, {"a": np.arange(5)})
    assert (found.sets["a"].n, found.sets["a"].unscored) == (4, 1)
    with pytest.raises(DataError, match="set 'b' has no conversation"):
        compared(p, {"a": np.arange(4), "b": np.arange(4, 6)})


def test_a_difference_counts_the_conversations_of_both_sets() -> None:
    p = some(9)
    p[[0, 7, 8]] = np.nan
    (difference,) = compared(p, {"a": np.arange(4), "b": np.arange(4, 9)}).differences
    assert (difference.mean.n, difference.mean.unscored) == (3 + 3, 1 + 2)


def test_errors_that_raters_share_widen_what_drawn_answers_add() -> None:
    p = np.full((50, 6, 3), 1 / 3)
    alone, shared = (
        compared(p, {"a": np.arange(50)}, sources=["answers"], shared=rho) for rho in (0.0, 0.5)
    )
    # Independent: variance (2/3) / 300. Two raters correlate by c, under rho: times 1 + 5 c.
    assert width(alone.sets["a"].mean) == pytest.approx(2 * 1.96 * (2 / 3 / 300) ** 0.5, rel=0.12)
    widened = (width(shared.sets["a"].mean) / width(alone.sets["a"].mean)) ** 2
    assert 2.6 < widened < 3.9
    assert shared.sets["a"].mean.signature != alone.sets["a"].mean.signature
