"""Densities by hand, over bounded scales; strips; few values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.judgment import Question
from assize.spread.density import (
    CELLS,
    STRIPS,
    Grid,
    few_values,
    kernel,
    kernel_width,
    make_grid,
    strip_edges,
)

SCALE = Grid(1.0, 4.0)


def normal(away: float, width: float) -> float:
    return float(np.exp(-0.5 * (away / width) ** 2) / (width * np.sqrt(2 * np.pi)))


def density(values: np.ndarray, width: float) -> np.ndarray:
    counts = np.bincount(SCALE.places(values), minlength=CELLS)
    return np.asarray(counts @ kernel(SCALE, width) / len(values))


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
    height = density(np.array(values), width)
    assert np.trapezoid(height, SCALE.points) == pytest.approx(1.0)
    assert (height >= 0).all()


def test_a_grid_is_the_scale_widened_to_what_was_seen() -> None:
    likert = Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 5.0))
    assert make_grid(likert, np.array([2.0])) == Grid(1.0, 5.0)
    assert make_grid(Question("q", range=(0, 1)), np.array([-1.0, 2.0])) == Grid(-1.0, 2.0)
    assert make_grid(Question("q"), np.array([0.0, 10.0])) == Grid(-1.0, 11.0, bounded=False)
    assert make_grid(Question("q"), np.array([3.0])) == Grid(2.5, 3.5, bounded=False)


def test_the_width_is_silvermans() -> None:
    """0.9 x min(sd, quartiles apart / 1.34) x n^-1/5, of numbers that differ freely."""
    values = np.random.default_rng(0).normal(2.5, 0.4, 5_000).clip(1, 4)
    quarters = np.quantile(values, (0.25, 0.75))
    narrow = min(values.std(ddof=1), (quarters[1] - quarters[0]) / 1.34)
    assert kernel_width(values, SCALE) == pytest.approx(0.9 * narrow * 5_000**-0.2)


def test_means_of_24_answers_do_not_show_their_steps() -> None:
    rng = np.random.default_rng(0)
    values = rng.binomial(72, 0.5 + 0.1 * rng.normal(size=50_000).clip(-2, 2)) / 24 + 1
    height = density(values, kernel_width(values, SCALE))
    turns = np.count_nonzero(np.diff(np.sign(np.diff(height[60:140]))))
    assert turns <= 3  # one summit, not one a step of 1/24


def test_few_values_are_told_apart_unless_only_few_numbers_are_there() -> None:
    scattered = np.linspace(1.3, 3.7, 10)
    assert few_values(scattered) is None
    assert few_values(np.linspace(1, 4, 1000)) is None
    twice: Any = few_values(np.repeat(scattered, 2))
    assert twice.tolist() == scattered.tolist()
    few: Any = few_values(np.array([1.0, 4.0, 2.0]))
    assert few.tolist() == [1.0, 2.0, 4.0]


def test_the_strips_at_the_ends_hold_the_tails() -> None:
    values = np.linspace(1.2, 3.8, 101)  # of 101, six are up to the 5% quantile, 1.33
    edges = strip_edges(SCALE, values)
    assert edges[[0, 1, -2, -1]] == pytest.approx([1, 1.33, 3.67, 4])
    assert (values < edges[1]).sum() == 6


@given(
    st.lists(st.floats(0, 1), max_size=30).map(np.array),
    st.sampled_from([(0.0, 1.0), (-5.0, 3.0)]),
)
def test_strips_cover_the_scale_and_none_is_narrow(
    values: np.ndarray, ends: tuple[float, float]
) -> None:
    edges = strip_edges(Grid(*ends), values)
    assert (edges[0], edges[-1]) == ends
    assert 3 <= len(edges) <= STRIPS + 1
    assert (np.diff(edges) >= (ends[1] - ends[0]) / STRIPS * (1 - 1e-6)).all()
