"""Charts of how answers are spread: densities with bands, shares with intervals, figures over time.

Where an address is given, strips of a density and bars of answers are links to their conversations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from assize.judgments.values import name_answer
from assize.pages import charts
from assize.pages.charts.parts import layer, quantity
from assize.pages.charts.timelines import Timeline, timelines
from assize.pages.drawing import INK, Link, Spec
from assize.pages.result_page import Charts, Piece
from assize.spread.regions import Region
from assize.spread.result import Distribution, Spread

Address = Callable[[Region], str]
LINK: Spec = {"type": "rect", "opacity": 0, "color": INK["ink"]}
"""A mark that is not seen; the page's style shows it under the pointer and in focus."""


def draw_spread(result: Spread, address: Address | None = None) -> Charts:
    """Return a chart for each question, above the tables of means, of shares, and over time.

    Args:
        address: where the conversations of a region are listed; None for a page without links.
    """
    charts_of: dict[str, list[Piece]] = {"means": [], "shares": []}
    answered = {row.question for row in result.shares}
    for distribution in result.distributions:
        question = distribution.question
        caption = f"{question.id}: {question.text or question.id} ({distribution.raters})"
        if distribution.curves:
            spec, links = draw_density(distribution, address)
            charts_of["means"].append((spec, caption, links))
        elif question.id in answered:
            spec, links = draw_shares(distribution, result, address)
            charts_of["shares"].append((spec, caption, links))
    followed = {row.question for row in result.periods}
    charts_of["periods"] = [
        (
            draw_over_time(result, distribution),
            f"{distribution.question.id}, with {interval(result)} intervals.",
        )
        for distribution in result.distributions
        if distribution.question.id in followed
    ]
    return charts_of


def interval(result: Spread) -> str:
    """The confidence of the intervals in words."""
    return f"{float(str(result.settings['confidence'])):.0%}"


def draw_density(distribution: Distribution, address: Address | None) -> tuple[Spec, list[Link]]:
    """Return the densities of each group with their bands, and the links of its strips."""
    assert distribution.grid is not None
    points = distribution.grid.points.tolist()
    curves = {
        name: charts.Curve(points, *rows.tolist()) for name, rows in distribution.curves.items()
    }
    spec = charts.curves(curves, x_title=distribution.question.id, y_title="density", zero=True)
    if address is None:
        return spec, []
    links: list[Link] = []
    rows: list[Spec] = []
    edges = distribution.edges.tolist()
    for low, high in pairwise(edges):
        rows.append({"from": low, "to": high, "link": f"#{len(links)}"})
        name = f"Conversations with {distribution.question.id} from {low:.4g} to {high:.4g}"
        links.append(Link(address(Region(distribution.question.id, low, high)), name))
    x = quantity("from", distribution.question.id, scale={"zero": False, "nice": False})
    whole = {"y": {"value": 0}, "y2": {"value": "height"}, "color": {"value": INK["ink"]}}
    spots = layer(LINK, rows, x=x, x2={"field": "to"}, href={"field": "link"}, **whole)
    return {**spec, "layer": [*spec["layer"], spots]}, links


def draw_shares(
    distribution: Distribution, result: Spread, address: Address | None
) -> tuple[Spec, list[Link]]:
    """Return a bar with its interval for each answer and group, and the links of the bars."""
    own = [row for row in result.shares if row.question == distribution.question.id]
    groups = list(dict.fromkeys(row.group for row in own))
    bars = [(row.answer, row.group, row.share) for row in own]
    spec = charts.grouped(bars, series=groups, title=f"share of {distribution.question.id}")
    if address is None:
        return spec, []
    regions: Mapping[str, Region] = {
        name_answer(distribution.question, answer): Region(distribution.question.id, answer=answer)
        for answer in distribution.question.answers
    } | {
        name_answer(distribution.question, value): Region(distribution.question.id, value, value)
        for value in distribution.values.tolist()
    }
    links: list[Link] = []
    rows: list[Spec] = []
    for row in own:
        region = regions[row.answer]
        group = row.group if len(groups) > 1 else ""
        rows.append({"name": row.answer, "series": row.group, "link": f"#{len(links)}"})
        name = f"Conversations with {distribution.question.id} {row.answer} {group}".rstrip()
        linked = Region(region.question, region.low, region.high, region.answer, group)
        links.append(Link(address(linked), name))
    whole = {"x": {"value": 0}, "x2": {"value": "width"}}
    spots = layer(LINK, rows, href={"field": "link"}, **whole)
    return {**spec, "layer": [*spec["layer"], spots]}, links


def draw_over_time(result: Spread, distribution: Distribution) -> Spec:
    """Return a line with intervals for each group, or answer."""
    own = [row for row in result.periods if row.question == distribution.question.id]
    middles = {span.name: 500 * (span.start + span.stop) for span in result.spans}  # ms
    lines = []
    for name in dict.fromkeys(row.line for row in own):
        rows = [row for row in own if row.line == name]
        figures = [row.share if row.figure is None else row.figure for row in rows]
        curve = charts.Curve.of([middles[row.period] for row in rows], figures)
        lines.append(Timeline(name, curve))
    share = distribution.question.kind == "nominal"
    return timelines(lines, y_title=distribution.question.id, y_format="%" if share else "")
