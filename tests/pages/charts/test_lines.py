"""Curves and bands."""

from __future__ import annotations

import numpy as np

from assize.pages import charts
from assize.stats import Calibration, Estimate

NAN = float("nan")


def test_each_curve_has_a_colour_and_all_its_points() -> None:
    curve = charts.Curve([1, 2], [3, NAN], [2, NAN], [4, NAN])
    spec = charts.curves({"a": curve, "b": curve}, x_title="x", y_title="y")
    nothing: charts.Spec = {"y": None, "low": None, "high": None}
    points = [{"x": 1, "y": 3, "low": 2, "high": 4}, {"x": 2, **nothing}]
    assert spec["data"]["values"] == [{"name": n, **one} for n in "ab" for one in points]
    assert spec["encoding"]["color"]["scale"]["range"] == list(charts.SERIES[:2])


def test_a_reliability_diagram_breaks_where_no_prediction_lies() -> None:
    at, density = np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.0, 1.0])
    curve = np.array([0.25, 0.5, 1.0])
    diagram = Calibration(Estimate(0.1), 0.1, at, curve, curve - 0.1, curve + 0.1, density)
    spec = charts.reliability(diagram, x_title="said", y_title="true")
    assert [point["y"] for point in spec["data"]["values"]] == [0.25, None, 1.0]
    assert spec["layer"][0]["data"]["values"] == [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    drawn = charts.svg(spec)
    assert ">said<" in drawn
    assert ">true<" in drawn
