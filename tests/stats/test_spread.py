"""Values in short."""

from __future__ import annotations

import math
from typing import Any

from assize.stats._spread import Spread


def test_a_spread_has_quartiles_by_hand_and_none_of_nothing() -> None:
    found = Spread.of([1.0, 2.0, 3.0, 4.0])
    quartiles = (found.least, found.q25, found.q50, found.q75, found.greatest)
    assert quartiles == (1.0, 1.75, 2.5, 3.25, 4.0)
    assert (found.n, found.mean.estimate) == (4, 2.5)
    assert math.isnan(Spread.of([]).q50)


def test_an_interval_is_cut_at_the_ends_of_the_scale() -> None:
    assert Spread.of([0.0, 1.0], (0.0, 1.0)).mean.interval == (0.0, 1.0)
    low, high = Spread.of([0.0, 1.0]).mean.interval
    assert low < 0.0 < 1.0 < high


def test_the_share_of_low_values_leaves_out_what_is_unscored() -> None:
    found: Any = Spread.of([0.1, 0.2, 0.9, float("nan")], low=0.2)
    assert (found.low.count, found.low.n, found.low.unscored) == (2, 3, 1)
    assert (found.n, found.mean.unscored) == (3, 1)
    assert Spread.of([0.1]).low is None
