from __future__ import annotations

import numpy as np
import pytest

from assize.reference._ensemble.conformal import intervals_of, quantile


@pytest.mark.parametrize(
    ("count", "confidence", "rank"),
    [
        (9, 0.9, 9),
        (10, 0.9, 10),
        (19, 0.9, 18),
        (99, 0.95, 95),
        (4, 0.5, 3),
        pytest.param(8, 0.9, np.inf, id="eight errors promise nothing"),
        pytest.param(0, 0.5, np.inf, id="none promise nothing"),
    ],
)
def test_the_rank_is_the_next_above_confidence_of_one_more(
    count: int, confidence: float, rank: float
) -> None:
    assert quantile(np.arange(1.0, count + 1), confidence) == rank


def test_coverage_is_told_on_folds_that_the_widths_have_not_seen() -> None:
    rng = np.random.default_rng(0)
    found = intervals_of(np.abs(rng.normal(size=500)), 0.9, np.arange(500) % 5)
    assert found.coverage == pytest.approx(0.9, abs=0.04)
