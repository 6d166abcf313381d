"""Charts of a spread: a density or bars a question, whose parts can be links; lines over time."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.web.dashboard.project import conversations, table

from assize.pages.result_page import arrange
from assize.pages.spread import draw_spread
from assize.spread import Region, Spread, SpreadOptions, gather_ratings, measure_spread


@pytest.fixture(scope="module")
def result() -> Spread:
    ratings = gather_ratings(table(), conversations(), time="metadata.started")
    options = SpreadOptions(by="system", every="month", questions=["Q0", "length"])
    return measure_spread(ratings, options)


def address(region: Region) -> str:
    return f"/here?{urlencode({'q': region.question, 'a': region.answer, 'g': region.group})}"


def test_a_question_has_a_density_or_bars_and_a_line_over_time(result: Spread) -> None:
    charts = draw_spread(result)
    assert {name: len(pieces) for name, pieces in charts.items()} == {
        "means": 1,
        "shares": 1,
        "periods": 2,
    }
    piece: Any = charts["means"][0]
    spec, caption, _ = piece
    assert caption == "Q0: Was the user satisfied? (6 predicted raters)"
    assert {row["name"] for row in spec["data"]["values"]} == {"new", "old"}


def test_parts_of_charts_are_links_where_there_are_pages_behind(result: Spread) -> None:
    charts = draw_spread(result, address)
    strips = re.findall(r'<a href="([^"]+)" aria-label="([^"]+)"', str(arrange(charts["means"])))
    assert len(strips) == len(result.distributions[0].edges) - 1
    assert strips[0][1].startswith("Conversations with Q0 from 1 to")
    bars = re.findall(r'<a href="([^"]+)"', str(arrange(charts["shares"])))
    assert len(bars) == 6
    assert "/here?q=length&amp;a=right&amp;g=old" in bars
