"""Histograms and scatters."""

from __future__ import annotations

from assize.pages import charts


def test_a_histogram_counts_every_value_once() -> None:
    values = [0.0, 0.05, 0.1, 0.999, 1.0]
    spec = charts.histogram(values, title="score", range=(0, 1), marks={}, unit="items")
    bars = spec["layer"][0]["data"]["values"]
    assert [bar["n"] for bar in bars] == [1, 1, 1, *[0] * 16, 2]


def test_a_histogram_widens_for_values_beyond_its_range() -> None:
    spec = charts.histogram([0.5, 7.0], title="score", range=(0, 1), marks={}, unit="items")
    assert sum(bar["n"] for bar in spec["layer"][0]["data"]["values"]) == 2


def test_a_histograms_data_do_not_grow_with_the_values() -> None:
    spec = charts.histogram([0.5] * 100_000, title="score", range=(0, 1), marks={}, unit="items")
    assert len(str(spec)) < 5_000


def test_many_points_are_thinned_and_the_description_says_so() -> None:
    many = [i / 5000 for i in range(5000)]
    spec = charts.scatter(many, many, x_title="x", y_title="y")
    assert len(spec["vconcat"][1]["hconcat"][0]["layer"][1]["data"]["values"]) == 1000
    assert "Every 5th of 5000 points" in spec["description"]
