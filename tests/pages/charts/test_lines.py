"""Curves and bands."""

from __future__ import annotations

from assize.pages import charts

NAN = float("nan")


def test_each_curve_has_a_colour_and_all_its_points() -> None:
    curve = charts.Curve([1, 2], [3, NAN], [2, NAN], [4, NAN])
    spec = charts.curves({"a": curve, "b": curve}, x_title="x", y_title="y")
    nothing: charts.Spec = {"y": None, "low": None, "high": None}
    points = [{"x": 1, "y": 3, "low": 2, "high": 4}, {"x": 2, **nothing}]
    assert spec["data"]["values"] == [{"name": n, **one} for n in "ab" for one in points]
    assert spec["encoding"]["color"]["scale"]["range"] == list(charts.SERIES[:2])


def test_a_band_has_a_point_for_each_x() -> None:
    spec = charts.line_with_band(
        [0, 1], [0.25, 1], [0, 0.9], [0.5, 1], x_title="said", y_title="true"
    )
    assert "0.25" in str(spec)
    assert "said" in str(spec)
