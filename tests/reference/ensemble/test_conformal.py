from __future__ import annotations

import numpy as np
import pytest

from assize.reference._ensemble.conformal import intervals_of, quantile


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


def test_coverage_is_told_on_folds_that_the_widths_have_not_seen() -> None:
    rng = np.random.default_rng(0)
    found = intervals_of(np.abs(rng.normal(size=500)), 0.9, np.arange(500) % 5)
    assert found.coverage == pytest.approx(0.9, abs=0.04)
