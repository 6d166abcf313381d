"""Histograms and scatters."""

from __future__ import annotations

import pytest

from assize.pages import charts


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ([0.0, 0.05, 0.1, 0.999, 1.0], {0: 1, 1: 1, 2: 1, 19: 2}),
        ([0.5, 7.0], {1: 1, 19: 1}),
        ([0.5] * 100_000, {10: 100_000}),
    ],
    ids=["an edge belongs to the next", "beyond the range", "many values, few data"],
)
def test_a_histogram_counts_every_value_once(values: list[float], counts: dict[int, int]) -> None:
    spec = charts.histogram(values, title="score", range=(0, 1), marks={}, unit="items")
    bars = spec["layer"][0]["data"]["values"]
    assert len(bars) == 20
    assert {at: bar["n"] for at, bar in enumerate(bars) if bar["n"]} == counts
    assert len(str(spec)) < 5_000


def test_many_points_are_thinned_and_the_description_says_so() -> None:
    many = [i / 5000 for i in range(5000)]
    spec = charts.scatter(many, many, x_title="x", y_title="y")
    assert len(spec["vconcat"][1]["hconcat"][0]["layer"][1]["data"]["values"]) == 1000
    assert "Every 5th of 5000 points" in spec["description"]
