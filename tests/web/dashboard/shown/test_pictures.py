"""Charts of numbers are drawn with their bands, and their strips and bars are links."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from assize.pages.drawing import svg
from assize.web._dashboard.figures.bands import bands_of, bands_to_json
from assize.web._dashboard.figures.charts import Look, chart_of
from assize.web._dashboard.figures.period_shares import shares_over_time
from assize.web._dashboard.figures.periods import over_time
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.figures.worth import Spread
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.page import strip_links
from assize.web._dashboard.shown.pictures import chart_spec, spread_spec, time_spec, worth_spec


def test_without_bands_there_is_no_layer_for_them(view: View) -> None:
    chart = chart_of(view, Look("Q0", kind="density"))
    spec = chart_spec(chart, view.question("Q0"))
    assert [one["mark"]["type"] for one in spec["layer"]] == ["line", "rect"]
    assert "low" not in spec["data"]["values"][0]


def test_with_bands_every_point_has_its_ends(view: View) -> None:
    look = Look("Q0", "system", kind="density")
    bands = bands_to_json(bands_of(view, look, Drawing(replicates=20), 0))
    spec = chart_spec(chart_of(view, look), view.question("Q0"), bands)
    assert [one["mark"]["type"] for one in spec["layer"]] == ["area", "line", "line", "rect"]
    assert all(row["low"] <= row["middle"] <= row["high"] for row in spec["data"]["values"])


def test_bars_of_several_curves_stand_beside_each_other(view: View) -> None:
    spec = chart_spec(chart_of(view, Look("Q0", "system", kind="bars")), view.question("Q0"))
    rows = spec["data"]["values"]
    first, second = (
        [(row["from"], row["to"]) for row in rows if row["name"] == name] for name in ("new", "old")
    )
    assert spec["layer"][0]["encoding"]["y2"] == {"datum": 0}  # bars stand on the axis
    assert all(one[1] <= two[0] + 1e-4 for one, two in zip(first, second, strict=True))


@pytest.mark.parametrize("kind", ["density", "bars"])
def test_every_strip_and_bar_of_a_chart_is_a_link(view: View, kind: str) -> None:
    chart = chart_of(view, Look("Q0", "system", kind=kind))
    links = strip_links(chart, "quality")
    drawing = svg(chart_spec(chart, view.question("Q0")), links)
    assert "Q0 is spread: 2 curves, 60 numbers" in drawing
    shown = [html.unescape(one) for one in re.findall(r'<a href="([^"]*)"', drawing)]
    assert shown == [one.href for one in links]
    assert len(shown) == len(chart.strips) > 5
    assert drawing.count("<a ") == drawing.count("</a>") == len(shown)


def test_a_bar_of_several_curves_leads_to_its_own_curve(view: View) -> None:
    chart = chart_of(view, Look("Q0", "system", kind="bars"))
    curves = {link.href.rpartition("curve=")[2] for link in strip_links(chart, "quality")}
    assert curves == {"new", "old"}
    alone = chart_of(view, Look("Q0", kind="bars"))
    assert not any("curve=" in link.href for link in strip_links(alone, "quality"))


def test_time_and_importance_can_be_drawn(view: View) -> None:
    found = over_time(view, Look("Q0", "system"))
    assert "<svg" in svg(time_spec(found, view.question("Q0")))
    assert "Q1" in svg(worth_spec([("Q1", 0.4, 0.2, 0.6)], "Q0"))


def test_shares_over_time_are_drawn_in_percent(view: View) -> None:
    look, length = Look("length", panel="people"), view.question("length")
    each = svg(time_spec(shares_over_time(view, look, every="week"), length))
    assert "share of length" in each
    assert "%<" in each
    one = shares_over_time(view, replace(look, by="system"), every="week", answer="right")
    assert "share of length with right of new, old" in svg(time_spec(one, length))


def test_spreads_are_drawn_by_group() -> None:
    both = {
        "Q1": [
            Spread("v1", 9, (0.0, 0.1, 0.2, 0.3, 0.4)),
            Spread("v2", 9, (0.1, 0.2, 0.3, 0.4, 0.5)),
        ]
    }
    drawing = svg(spread_spec(both, ["Q1"], "Q0"))
    assert "Q1" in drawing
    assert "v1" in drawing
    assert "v2" in drawing
    assert ">v1<" not in svg(spread_spec({"Q1": both["Q1"][:1]}, ["Q1"], "Q0"))
