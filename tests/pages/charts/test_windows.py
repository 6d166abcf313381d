"""Scores with a threshold and an open window."""

from __future__ import annotations

import json
import math

import pytest

from assize.pages.charts import Cuts, class_histograms, precision_curves
from assize.pages.charts.windows import BAD, GOOD
from assize.pages.drawing import svg

NAN = math.nan


@pytest.mark.parametrize(
    ("cuts", "shaded"),
    [
        (Cuts(0.0, -5.0, 5.0), (-5.0, 5.0)),
        (Cuts(0.0, -math.inf, 5.0), (-20.0, 5.0)),
        (Cuts(0.0, -5.0, math.inf), (-5.0, 20.0)),
        (Cuts(), None),
        (Cuts(1.0), None),
        (Cuts(1.0, 2.0, 2.0), None),
        (Cuts(0.0, 30.0, 40.0), None),
    ],
)
def test_the_open_part_of_an_axis_is_shaded(cuts: Cuts, shaded: tuple[float, float] | None) -> None:
    assert cuts.shaded((-20.0, 20.0)) == shaded


def test_precision_is_solid_and_the_fitted_curve_dashed() -> None:
    curves = {"up": ([0.5, NAN], [0.4, 0.6]), "down": ([0.9, 0.8], [0.9, 0.7])}
    spec = precision_curves([0.0, 10.0], curves, cuts=Cuts(5.0, 2.0, 8.0), precision=0.9)
    shade, wanted, lines, threshold, named = spec["layer"]
    assert shade["data"]["values"] == [{"from": 2.0, "to": 8.0}]
    assert wanted["data"]["values"] == [{"y": 0.9}]
    assert lines["data"]["values"][:3] == [
        {"x": 0.0, "y": 0.5, "name": "up", "fitted": False},
        {"x": 10.0, "y": None, "name": "up", "fitted": False},
        {"x": 0.0, "y": 0.4, "name": "up", "fitted": True},
    ]
    assert lines["encoding"]["strokeDash"]["scale"]["range"] == [[1, 0], [5, 4]]
    assert lines["encoding"]["color"]["scale"] == {"domain": ["up", "down"], "range": [GOOD, BAD]}
    assert threshold["data"] == named["data"]
    assert "threshold 5" in svg(spec)
    assert json.dumps(spec, allow_nan=False)


def test_without_cuts_only_the_curves_are_drawn() -> None:
    spec = precision_curves([0.0, 1.0], {"up": ([0.1, 0.2], [0.1, 0.2])}, cuts=Cuts())
    assert len(spec["layer"]) == 1


def test_each_class_has_a_histogram_on_one_axis() -> None:
    classes = {"good": ([5.0, 5.0, 10.0], GOOD), "bad": ([0.0], BAD), "none": ([], BAD)}
    spec = class_histograms(classes, cuts=Cuts(4.0, 2.0, 6.0))
    assert [row["layer"][1]["encoding"]["y"]["title"] for row in spec["vconcat"]] == [
        "good (3)",
        "bad (1)",
    ]
    good = [one["n"] for one in spec["vconcat"][0]["layer"][1]["data"]["values"]]
    bad = [one["n"] for one in spec["vconcat"][1]["layer"][1]["data"]["values"]]
    assert (good[20], good[-1], sum(good), bad[0], sum(bad)) == (2, 1, 3, 1, 1)
    assert [row["layer"][0]["encoding"]["x"]["title"] for row in spec["vconcat"]] == [
        None,
        "NetSAT",
    ]
    drawn = svg(spec)
    assert "3 good, 1 bad" in drawn
    assert drawn.count("threshold 4") == 1
