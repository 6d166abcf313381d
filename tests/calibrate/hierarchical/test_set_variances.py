"""What a set keeps of raters' levels: recovered from many labels, near the prior with few."""

from __future__ import annotations

import numpy as np
import pytest

from assize.calibrate._hierarchical.set_variances import learn_carried
from assize.calibrate._hierarchical.shift import Carried

EXPECTED = Carried(0.6, 0.1, 0.1)


def said(seed: int, raters: int, *, kept: float, spread: float, error: float) -> Carried:
    """What is learnt of levels that are known up to `error`, in a set rated 0.5 higher."""
    rng = np.random.default_rng(seed)
    was = rng.normal(0, 0.5, raters)
    level = 0.5 + kept * was + rng.normal(0, spread, raters) + rng.normal(0, error, raters)
    return learn_carried(level, np.full(raters, error**2), was, EXPECTED, 0.25, 0.6)


@pytest.mark.parametrize(("kept", "spread"), [(0.9, 0.2), (0.35, 0.6), (0.0, 0.4)])
def test_many_raters_well_known_tell_what_is_kept_and_how_far_they_differ(
    kept: float, spread: float
) -> None:
    found = [said(seed, 400, kept=kept, spread=spread, error=0.1) for seed in range(4)]
    assert np.mean([one.kept for one in found]) == pytest.approx(kept, abs=0.08)
    assert np.mean([one.of_rater for one in found]) == pytest.approx(spread**2, rel=0.3)


def test_labels_that_say_nothing_leave_the_expected() -> None:
    found = said(0, 10, kept=0.0, spread=0.1, error=100.0)
    assert found.kept == pytest.approx(0.55, abs=0.1)
    assert 0.05 < found.of_rater < 0.5


def test_raters_may_be_given_in_any_order() -> None:
    rng = np.random.default_rng(0)
    level, error, was = rng.normal(size=9), rng.uniform(0.1, 1, 9), rng.normal(size=9)
    order = rng.permutation(9)
    one = learn_carried(level, error, was, EXPECTED, 0.25, 0.3)
    other = learn_carried(level[order], error[order], was[order], EXPECTED, 0.25, 0.3)
    assert one.kept == pytest.approx(other.kept)
    assert one.of_rater == pytest.approx(other.of_rater)
