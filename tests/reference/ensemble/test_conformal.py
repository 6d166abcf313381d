from __future__ import annotations

import numpy as np
import pytest

from assize.reference.ensemble.conformal import LEVELS, Intervals, intervals_of, quantile


@pytest.mark.parametrize(
    ("count", "confidence", "rank"),
    [(9, 0.9, 9), (10, 0.9, 10), (19, 0.9, 18), (99, 0.95, 95), (4, 0.5, 3)],
)
def test_the_rank_is_the_next_above_confidence_of_one_more(
    count: int, confidence: float, rank: int
) -> None:
    assert quantile(np.arange(1.0, count + 1), confidence) == rank


def test_too_few_errors_promise_nothing() -> None:
    assert quantile(np.arange(8.0), 0.9) == np.inf
    assert quantile(np.empty(0), 0.5) == np.inf


def covered(draw: str, confidence: float) -> list[float]:
    """Share of new errors within the width of 200 others, 200 times."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(200):
        errors = np.abs(getattr(rng, draw)(size=400))
        width = intervals_of(errors[:200], confidence, np.arange(200) % 5).width
        found.append(float((errors[200:] <= width).mean()))
    return found


@pytest.mark.parametrize("draw", ["standard_normal", "standard_cauchy", "standard_exponential"])
@pytest.mark.parametrize("confidence", [0.8, 0.9])
def test_new_items_are_held_as_often_as_promised_whatever_the_errors(
    draw: str, confidence: float
) -> None:
    assert np.mean(covered(draw, confidence)) == pytest.approx(confidence, abs=0.015)


def test_each_level_of_disagreement_is_held_as_often_as_promised() -> None:
    rng = np.random.default_rng(0)
    spread = rng.uniform(0.2, 2, size=6000)
    errors = np.abs(rng.normal(size=6000) * spread)
    found = intervals_of(errors[:3000], 0.9, np.arange(3000) % 5, spread[:3000])
    assert len(found.widths) == len(LEVELS)
    assert found.widths[0] < found.widths[1] < found.widths[2]
    held = errors[3000:] <= found.half(spread[3000:])
    level = found.level(spread[3000:])
    for at in range(len(LEVELS)):
        assert held[level == at].mean() == pytest.approx(0.9, abs=0.03)
    plain = intervals_of(errors[:3000], 0.9, np.arange(3000) % 5)
    wide = errors[3000:] <= plain.half(spread[3000:])
    assert wide[level == 2].mean() < 0.85  # one width for all holds too few of these


def test_coverage_is_told_on_folds_that_the_widths_have_not_seen() -> None:
    rng = np.random.default_rng(0)
    found = intervals_of(np.abs(rng.normal(size=500)), 0.9, np.arange(500) % 5)
    assert found.coverage == pytest.approx(0.9, abs=0.04)


def test_a_level_with_few_errors_has_the_width_of_all() -> None:
    errors = np.arange(60.0)
    found = intervals_of(errors, 0.9, np.arange(60) % 5, np.arange(60.0))
    assert set(found.widths) == {found.width}


def test_no_predicted_disagreement_has_the_width_of_all() -> None:
    found = Intervals(0.9, 2.0, (0.5, 1.0), (1.0, 2.0, 3.0))
    assert found.half(np.array([0.1, 0.7, 5.0, np.nan])).tolist() == [1.0, 2.0, 3.0, 2.0]
    assert found.level(np.array([np.nan])).tolist() == [-1]
