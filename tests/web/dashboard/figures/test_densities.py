"""Densities by hand, over bounded scales, and bars."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.judgment import Question
from assize.web._dashboard.figures.densities import (
    CELLS,
    Grid,
    counted,
    grid_of,
    kernel,
    shape_of,
    width_of,
)

SCALE = Grid(1.0, 4.0)


def normal(away: float, width: float) -> float:
    return float(np.exp(-0.5 * (away / width) ** 2) / (width * np.sqrt(2 * np.pi)))


def test_one_number_in_the_middle_is_a_normal_curve() -> None:
    weights = kernel(SCALE, 0.1)
    cell = int(SCALE.places(np.array([2.5]))[0])
    assert weights[cell, 100] == pytest.approx(normal(0.0, 0.1), rel=1e-3)  # point 100 is 2.5
    assert weights[cell, 110] == pytest.approx(normal(0.15, 0.1), rel=1e-3)  # 2.65


def test_at_an_end_what_would_lie_beyond_is_reflected() -> None:
    """A number 0.1 from the end: there the curve and its reflection meet, 2 x normal(0.1)."""
    cell = int(SCALE.places(np.array([1.1]))[0])
    assert kernel(SCALE, 0.1)[cell, 0] == pytest.approx(2 * normal(0.1, 0.1), rel=1e-3)
    assert kernel(Grid(1.0, 4.0, bounded=False), 0.1)[cell, 0] < 2 * normal(0.1, 0.1)


@given(st.lists(st.floats(1, 4), min_size=2, max_size=50), st.floats(0.05, 0.5))
def test_a_density_integrates_to_one(values: list[float], width: float) -> None:
    counts = counted(SCALE, np.array(values), np.zeros(len(values), dtype=int), 1)
    height = (counts @ kernel(SCALE, width)) / len(values)
    assert np.trapezoid(height[0], SCALE.points) == pytest.approx(1.0)
    assert (height >= 0).all()


def test_the_density_of_even_numbers_is_flat_to_the_very_ends() -> None:
    """Uniform on the scale: 1/3 everywhere; without reflection it would halve at the ends."""
    values = np.linspace(1, 4, 30_001)
    shape = shape_of(SCALE, values, "density")
    height = shape.of(counted(SCALE, values, np.zeros(len(values), dtype=int), 1))[0]
    assert np.abs(height - 1 / 3).max() < 0.005


def test_a_grid_is_the_scale_of_the_question() -> None:
    likert = Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 5.0))
    assert grid_of(likert, np.array([2.0])) == Grid(1.0, 5.0)
    assert grid_of(Question("q", range=(0, 100)), np.array([2.0])) == Grid(0.0, 100.0)


def test_numbers_beyond_the_scale_widen_it() -> None:
    assert grid_of(Question("q", range=(0, 1)), np.array([-1.0, 2.0])) == Grid(-1.0, 2.0)


def test_a_question_without_ends_has_room_around_what_was_seen() -> None:
    assert grid_of(Question("q"), np.array([0.0, 10.0])) == Grid(-1.0, 11.0, bounded=False)
    assert grid_of(Question("q"), np.array([3.0])) == Grid(2.5, 3.5, bounded=False)


def test_the_width_is_silvermans() -> None:
    """0.9 x min(sd, quartiles apart / 1.34) x n^-1/5, of numbers that differ freely."""
    values = np.random.default_rng(0).normal(2.5, 0.4, 5_000).clip(1, 4)
    quarters = np.quantile(values, (0.25, 0.75))
    narrow = min(values.std(ddof=1), (quarters[1] - quarters[0]) / 1.34)
    assert width_of(values, SCALE) == pytest.approx(0.9 * narrow * 5_000**-0.2)


def test_means_of_24_answers_do_not_show_their_steps() -> None:
    rng = np.random.default_rng(0)
    values = rng.binomial(72, 0.5 + 0.1 * rng.normal(size=50_000).clip(-2, 2)) / 24 + 1
    shape = shape_of(SCALE, values, "density")
    height = shape.of(counted(SCALE, values, np.zeros(len(values), dtype=int), 1))[0]
    turns = np.count_nonzero(np.diff(np.sign(np.diff(height[60:140]))))
    assert turns <= 3  # one summit, not one a step of 1/24


def test_few_values_have_a_bar_each() -> None:
    values = np.array([1.0, 1.0, 2.0, 4.0])
    shape = shape_of(SCALE, values)
    assert shape.kind == "bars"
    assert shape.at.tolist() == [1.0, 2.0, 4.0]
    height = shape.of(counted(SCALE, values, np.zeros(4, dtype=int), 1))[0]
    assert height.tolist() == [0.5, 0.25, 0.25]


def test_bars_leave_no_gap_and_do_not_overlap() -> None:
    ends = shape_of(SCALE, np.linspace(1, 4, 1000), "bars").ends
    assert ends is not None
    assert (ends[0, 0], ends[-1, 1]) == (1.0, 4.0)
    assert np.array_equal(np.nextafter(ends[:-1, 1], np.inf), ends[1:, 0])


def test_every_cell_of_the_grid_is_in_one_bar() -> None:
    for values in (np.array([1.0, 2.0, 3.0]), np.linspace(1, 4, 1000)):
        weights = shape_of(SCALE, values, "bars").weights
        assert weights.shape[0] == CELLS
        assert (weights.sum(axis=1) == 1).all()


def test_few_conversations_of_many_values_have_a_density_and_few_answers_bars() -> None:
    """Ten means that differ are ten only as there are ten; answers stand once each or often."""
    scattered = np.linspace(1.3, 3.7, 10)
    grid = Grid(1.0, 4.0)
    assert shape_of(grid, scattered).kind == "density"
    assert shape_of(grid, np.repeat(scattered, 2)).kind == "bars"
    assert shape_of(grid, np.array([1.0, 2.0, 4.0])).kind == "bars"
