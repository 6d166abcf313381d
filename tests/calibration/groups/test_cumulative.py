from __future__ import annotations

import numpy as np
import pytest

from assize.calibration import Scale
from assize.calibration.groups.cumulative import from_events, to_events
from assize.judgment import Question

SCALE = Scale.of(Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3)))
NOMINAL = Scale.of(Question("q", kind="nominal", answers=("a", "b", "c")))


def test_events_are_cumulative_where_answers_are_ordered() -> None:
    p = np.array([[0.2, 0.3, 0.5]])
    assert to_events(p, SCALE)[0] == pytest.approx([0.2, 0.5])
    falling = Scale.of(Question("q", kind="ordinal", answers=("3", "2", "1"), values=(3, 2, 1)))
    assert to_events(p, falling)[0] == pytest.approx([0.5, 0.8])
    assert to_events(p, NOMINAL)[0] == pytest.approx([0.2, 0.3, 0.5])


def test_events_and_answers_are_two_ways_of_saying_it() -> None:
    p = np.random.default_rng(0).dirichlet(np.ones(3), 5)
    falling = Scale.of(Question("q", kind="ordinal", answers=("3", "2", "1"), values=(3, 2, 1)))
    for scale in (SCALE, falling, NOMINAL):
        assert from_events(to_events(p, scale), scale) == pytest.approx(p)
    assert from_events(np.array([[0.6, 0.4]]), SCALE)[0] == pytest.approx([0.4, 0.2, 0.4])
