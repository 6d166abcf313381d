"""The page of `assize evaluator study`: one judge or several, ways to learn, other juries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from assize.evaluator.study.studied import EvaluatorStudy, single_mean
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.charts.parts import diagonal_line
from assize.pages.page import Section, Tile
from assize.tables.numbers import counted, number, percent

MEASURES = {"with_tie": "with ties", "without_tie": "without ties"}
MOST_ROWS = 40
"""Rows that are drawn below each other; the table holds all."""


def write_evaluator_study(
    path: Location,
    study: EvaluatorStudy,
    *,
    title: str = "Learning from judges",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    sections = [
        Section("At a glance", _tiles(study)),
        Section("One judge or several", _singles(study)),
        Section("Ways to learn from several", _ways(study)),
        Section("Other juries", _juries(study)),
        Section("How reliable each judge is", _reliabilities(study)),
        Section("What the judges said", _votes(study)),
        Section("Seconds an instance", page.table(study.tables.get("runtime"))),
        Section("Every figure", page.table(study.tables.get("learners"))),
    ]
    subtitle = (
        f"{study.question}: {counted(study.pairs, 'pair')},"
        f" {counted(len(study.judges), 'judge')}, {study.table.count:,} pairs with gold"
    )
    return page.write_page(
        path, title, [one for one in sections if one.body.strip()], signature=study.signature,
        subtitle=subtitle, notes=study.notes, reproduce=reproduce,
    )  # fmt: skip


def _tiles(study: EvaluatorStudy) -> Markup:
    tiles = [
        Tile("Pairs", f"{study.pairs:,}", f"in {counted(study.groups, 'group')} that share a text"),
        Tile("Judges", f"{len(study.judges)}", f"{sum(one.votes for one in study.judges):,} votes"),
    ]
    for name, said in MEASURES.items():
        figure = study.table.figures[study.together][name]
        if math.isnan(figure.estimate):
            continue
        alone = single_mean(study, name)
        below = f"{study.together}; one judge alone: {percent(alone)} on average"
        tiles.append(Tile(f"Accuracy, {said}", percent(figure.estimate), below))
    if not math.isnan(study.found.estimate):
        said = "of learnt reliabilities and right votes"
        tiles.append(Tile("Correlation", number(study.found.estimate, 2), said))
    return page.tiles(tiles)


def _drawn(study: EvaluatorStudy, names: Sequence[str], caption: str) -> list[Markup]:
    """Accuracies with their intervals, a figure with ties and one without."""
    pieces = []
    for measure, said in MEASURES.items():
        each = {name: study.table.figures[name][measure] for name in names[:MOST_ROWS]}
        rows = [
            (name, one.estimate, *one.interval)
            for name, one in each.items()
            if not math.isnan(one.estimate)
        ]
        if rows:
            spec = charts.means(
                rows, title=f"accuracy {said}", format="~%", mark=_mark(study, measure)
            )
            pieces.append(page.figure(spec, f"{caption}, {said}."))
    return pieces


def _mark(study: EvaluatorStudy, measure: str) -> float | None:
    value = study.table.figures[study.together][measure].estimate
    return None if math.isnan(value) else value


def _named(study: EvaluatorStudy, *groups: str) -> list[str]:
    return [row.name for row in study.table.rows if row.group in groups]


def _singles(study: EvaluatorStudy) -> Markup:
    """As MTDEval's figure 3."""
    names = [*_named(study, "one judge"), study.together]
    caption = f"Learnt from each judge alone and from all ({study.together}, the dashed line)"
    return page.figures(*_drawn(study, names, caption))


def _ways(study: EvaluatorStudy) -> Markup:
    names = _named(study, "all judges", "gold labels", "votes themselves")
    caption = "Learnt from all judges, from gold, and the votes themselves without any text"
    return page.figures(*_drawn(study, names, caption))


def _juries(study: EvaluatorStudy) -> Markup:
    table = study.tables.get("juries")
    if table is None:
        return page.EMPTY
    pieces = []
    for measure, said in MEASURES.items():
        figures = {one.jury: getattr(one, measure) for one in study.changes}
        rows = [
            (jury, one.estimate, *one.interval)
            for jury, one in figures.items()
            if not math.isnan(one.estimate)
        ]
        if rows:
            spec = charts.means(
                rows, title=f"accuracy {said}, less the default's", format="+~%", mark=0.0
            )
            pieces.append(page.figure(spec, f"What another jury changes, {said}."))
    return page.join(page.figures(*pieces), page.table(table))


def _reliabilities(study: EvaluatorStudy) -> Markup:
    """As MTDEval's figure 4."""
    known = [one for one in study.judges if not (math.isnan(one.alpha) or math.isnan(one.beta))]
    table = page.table(study.tables.get("reliabilities"))
    if not known:
        return table
    rows = [
        {"judge": one.judge, "x": one.alpha, "y": one.beta, "x1": _end(one.alpha_interval[0]),
         "x2": _end(one.alpha_interval[1]), "y1": _end(one.beta_interval[0]),
         "y2": _end(one.beta_interval[1])}
        for one in known
    ]  # fmt: skip
    caption = "Learnt from the votes alone, with 95% intervals; below the dotted lines is chance."
    return page.join(page.figures(page.figure(reliability_plot(rows), caption)), table)


def _end(value: float) -> float | None:
    return value if math.isfinite(value) else None


def reliability_plot(rows: Sequence[Mapping[str, Any]]) -> charts.Spec:
    """Alpha across and beta upwards, a point a judge, with intervals.

    Args:
        rows: {judge, x, y, x1, x2, y1, y2}; None ends where there is no interval.
    """
    names = list(dict.fromkeys(str(row["judge"]) for row in rows))
    lows = [row[key] for row in rows for key in ("x", "y", "x1", "y1") if row[key] is not None]
    low = max(0.0, min(0.45, math.floor(20 * min(lows)) / 20))
    scale = {"domain": [low, 1.0], "nice": False}
    titles = ("alpha (right where A is better)", "beta (right where B is better)")
    x, y = ({"type": "quantitative", "title": one, "scale": scale} for one in titles)
    across, up = (
        {"data": {"values": [{axis: 0.5}]},
         "mark": {"type": "rule", "color": charts.INK["muted"], "strokeDash": [1, 3]},
         "encoding": {axis: {"field": axis, **place}}}
        for axis, place in (("x", x), ("y", y))
    )  # fmt: skip
    colour: dict[str, Any] = {"value": charts.SERIES[0]}
    if len(names) <= len(charts.SERIES):
        colour = {
            "field": "judge", "type": "nominal", "sort": names,
            "scale": {"domain": names, "range": list(charts.SERIES[: len(names)])},
            "legend": {"orient": "bottom", "title": None, "columns": 1, "labelLimit": 260},
        }  # fmt: skip
    return {
        "description": f"Sensitivity against specificity of {', '.join(names)}.",
        "width": 280,
        "height": 280,
        "data": {"values": list(rows)},
        "layer": [
            diagonal_line((low, 1.0), scale, *titles),
            across,
            up,
            {"mark": {"type": "rule", "opacity": 0.5},
             "encoding": {"x": {"field": "x1", **x}, "x2": {"field": "x2"},
                          "y": {"field": "y", **y}, "color": colour}},
            {"mark": {"type": "rule", "opacity": 0.5},
             "encoding": {"x": {"field": "x", **x}, "y": {"field": "y1", **y},
                          "y2": {"field": "y2"}, "color": colour}},
            {"mark": {"type": "circle", "size": 70, "opacity": 0.9},
             "encoding": {"x": {"field": "x", **x}, "y": {"field": "y", **y}, "color": colour}},
        ],
    }  # fmt: skip


def _votes(study: EvaluatorStudy) -> Markup:
    if not study.counts:
        return page.EMPTY
    drawn = []
    for question in dict.fromkeys(one.question for one in study.counts):
        mine = [one for one in study.counts if one.question == question][:MOST_ROWS]
        rows = [
            (one.judge, side, float(count))
            for one in mine
            for side, count in (("A", one.a), ("tie", one.tie), ("B", one.b))
        ]
        colours = (charts.SERIES[0], charts.INK["grid"], charts.SERIES[1])
        spec = charts.shares(rows, answers=["A", "tie", "B"], title="votes", colours=colours)
        drawn.append(page.figure(spec, f"{question}: what each judge said."))
    return page.join(page.figures(*drawn), page.table(study.tables.get("votes")))
