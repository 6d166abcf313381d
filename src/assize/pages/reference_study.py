"""The page of `assize reference study`: metrics, judges and ensembles beside people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.charts.trees import tree
from assize.pages.page import Section, Tile
from assize.reference.study.association import SHORT
from assize.reference.study.data import MAJORITY, NO_MODE, PERFECT, PLURALITY
from assize.reference.study.ensembles import BEST
from assize.reference.study.levels import ALL, LEVELS
from assize.reference.study.studied import ReferenceStudy, Studied
from assize.reference.study.tables import best_of
from assize.reference.study.trees import DEPTH
from assize.results.numbers import counted, number

MOST_ROWS = 60
"""Metrics that are drawn below each other; the table holds all."""

P_LINE = -math.log10(0.05)

_REACHED = {
    "perfect": PERFECT,
    "majority": MAJORITY,
    "plurality": PLURALITY,
    "no mode": NO_MODE,
}


def write_reference_study(
    path: Location,
    study: ReferenceStudy,
    *,
    title: str = "Metrics against people",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    glance = page.join(_tiles(study), _table(study, "best"))
    sections = [
        Section("At a glance", glance),
        *(_agreement(study, target) for target in study.targets),
        Section("Ensembles against the best metric", _tables(study, "gains")),
        Section("Where people agree", _levels(study)),
        Section("Judges by how far people agree", _bins(study)),
        Section("Who is rated how", _sources(study)),
        Section("Which metrics go with the ratings", _regressions(study)),
        Section("One tree of an ensemble", _trees(study)),
        Section("Every figure", _tables(study, "figures")),
    ]
    marked = " (simulated)" if study.simulated else ""
    sets = ", ".join(data.title for data in study.sets if data.name != "all")
    subtitle = f"{sets or counted(len(study.sets[0]), 'continuation')}: {', '.join(study.targets)}"
    return page.write_page(
        path,
        title + marked,
        [one for one in sections if one.body.strip()],
        signature=study.signature,
        subtitle=subtitle,
        notes=study.notes,
        reproduce=reproduce,
    )


def _table(study: ReferenceStudy, name: str) -> Markup:
    return page.table(study.tables.get(name))


def _tables(study: ReferenceStudy, *starts: str) -> Markup:
    """The tables whose names are one of these, or begin with one and a blank."""
    found = [
        one
        for name, one in study.tables.items()
        if any(name == start or name.startswith(f"{start} ") for start in starts)
    ]
    return page.join(*map(page.table, found))


def _tiles(study: ReferenceStudy) -> Markup:
    first = study.rows[0]
    raters = counted(len(first.ratings.values), "rater")
    conversations = sum(len(set(one.conversations.tolist())) for one in study.sets)
    tiles = [
        Tile(
            "Continuations",
            f"{sum(map(len, study.sets)):,}",
            f"of {counted(conversations, 'conversation')}",
        ),
        Tile(
            "Ratings",
            f"{sum(len(one.ratings.rows[0]) for one in study.rows):,}",
            f"{raters} of {first.target}" if len(study.sets) == 1 else "",
        ),
    ]
    for one in study.rows[:4]:
        metric, learnt = best_of(study, one)
        name = one.target if len(study.sets) == 1 else f"{one.data.name}: {one.target}"
        if metric is not None:
            found = metric.by["items"].pearson
            tiles.append(Tile(f"Best metric, {name}", number(found.estimate, 2), metric.name))
        if learnt is not None:
            found = learnt.by["items"].pearson
            said = f"{learnt.trained.learner}, cross-validated"
            tiles.append(Tile(f"Best ensemble, {name}", number(found.estimate, 2), said))
    return page.tiles(tiles)


def _agreement(study: ReferenceStudy, target: str) -> Section:
    drawn = [piece for one in study.of(target) if (piece := _means(study, one))]
    tables = page.join(_table(study, f"metrics {target}"), _table(study, f"items {target}"))
    return Section(f"Agreement with people: {target}", page.join(page.figures(*drawn), tables))


def _means(study: ReferenceStudy, one: Studied) -> Markup:
    """Metrics and cross-validated ensembles with their intervals, on the items' means."""
    found = [(each.name, each.by["items"]) for each in one.metrics]
    found += [
        (each.trained.learner, each.by["items"])
        for each in one.learnt
        if each.trained.on == one.data.name and each.trained.learner != BEST
    ]
    rows = [
        (
            f"{name} ({SHORT[of.statistic]})" if of.statistic != "pearson" else name,
            of.own.estimate,
            *of.own.interval,
        )
        for name, of in found
        if not math.isnan(of.own.estimate)
    ]
    if not rows:
        return page.EMPTY
    rows.sort(key=lambda row: -row[1])
    shown = rows[:MOST_ROWS]
    left = f" {len(rows) - len(shown)} more are in the table." if len(rows) > len(shown) else ""
    lowest = min(row[2] if not math.isnan(row[2]) else row[1] for row in shown)
    ends = (0.0, 1.0) if lowest >= 0 else None
    spec = charts.means(shown, title=f"agreement on {one.target}", range=ends)
    where = "" if one.data.name == "all" else f" {one.data.title}:"
    caption = (
        f"{where} Figures on {len(one.ratings):,} items with 95% intervals, Pearson where nothing"
        f" else is said.{left}"
    )
    return page.figure(spec, caption.strip())


def _levels(study: ReferenceStudy) -> Markup:
    rated = [one for one in study.rows if one.levels.reason is None]
    if not rated:
        return page.EMPTY
    bars = []
    for one in rated:
        name = _name(study, one)
        bars += [
            (name, level, float((one.ratings.reached == place).sum()))
            for level, place in _REACHED.items()
        ]
    spec = charts.shares(bars, answers=list(_REACHED), title="items", colours=_LEVEL_COLOURS)
    pieces = [page.figure(spec, "How far the ratings of an item agree; each item stands once.")]
    pieces += [_heat(study, one) for one in rated]
    return page.join(page.figures(*pieces), _table(study, "kept"), _tables(study, "levels"))


_LEVEL_COLOURS = (charts.RAMP[5], charts.RAMP[3], charts.RAMP[1], charts.SERIES[5])


def _name(study: ReferenceStudy, one: Studied) -> str:
    return one.target if len(study.sets) == 1 else f"{one.data.title}, {one.target}"


def _heat(study: ReferenceStudy, one: Studied) -> Markup:
    """Metrics down, levels across."""
    found = one.levels.rows[:MOST_ROWS]
    cells = {
        (row.column, level): None if math.isnan(figure.estimate) else figure.estimate
        for row in found
        for level, figure in row.figures.items()
    }
    spec = charts.heatmap(
        cells,
        x_title="people agree at least by",
        y_title="",
        columns=[ALL, *LEVELS],
        rows=[row.column for row in found],
        domain=(0.0, 1.0),
    )
    caption = f"{_name(study, one)}: each metric's own figure by level of agreement."
    return page.figure(spec, caption)


def _bins(study: ReferenceStudy) -> Markup:
    return _tables(study, "accuracy", "balanced", "people")


def _sources(study: ReferenceStudy) -> Markup:
    drawn = []
    for one in study.rows:
        rows = [
            (source.name, source.aggregate.estimate, *source.aggregate.interval)
            for source in one.sources
            if not math.isnan(source.aggregate.estimate)
        ]
        if len(rows) > 1:
            spec = charts.means(rows, title="share of the best score", range=(0.0, 1.0))
            caption = f"{_name(study, one)}: sum of ratings over the sum of the highest."
            drawn.append(page.figure(spec, caption))
        answers = sorted({value for source in one.sources for value in source.counts})
        bars = [
            (source.name, f"{value:.3g}", float(source.counts.get(value, 0)))
            for source in one.sources
            for value in answers
        ]
        if bars:
            spec = charts.shares(bars, answers=[f"{v:.3g}" for v in answers], title="ratings")
            drawn.append(page.figure(spec, f"{_name(study, one)}: how often each rating is given."))
    pieces = [page.figures(*drawn)] if drawn else []
    return page.join(*pieces, _tables(study, "agreement", "aggregate", "answers"))


def _regressions(study: ReferenceStudy) -> Markup:
    drawn = []
    for one in study.rows:
        found = one.weights.rows[:MOST_ROWS]
        for what, each in (
            ("by itself", [(row.column, row.alone) for row in found]),
            ("with all others held", [(row.column, row.together) for row in found]),
        ):
            rows = [
                (name, of.estimate, *of.interval)
                for name, of in each
                if not math.isnan(of.estimate)
            ]
            if rows:
                spec = charts.means(rows, title="steps for one standard deviation", mark=0.0)
                drawn.append(page.figure(spec, f"{_name(study, one)}: each metric {what}."))
        rows = [
            (row.column, -math.log10(max(row.alone.p_value, 1e-300)), math.nan, math.nan)
            for row in found
            if not math.isnan(row.alone.p_value)
        ]
        if rows:
            spec = charts.means(rows, title="-log10 of p (line: p = 0.05)", mark=P_LINE)
            caption = f"{_name(study, one)}: p of each metric by itself, clustered by conversation."
            drawn.append(page.figure(spec, caption))
    pieces = [page.figures(*drawn)] if drawn else []
    return page.join(*pieces, _tables(study, "regression"))


def _trees(study: ReferenceStudy) -> Markup:
    """The questions of one tree, as a drawing and as text."""
    pieces = []
    for one in study.rows:
        if one.tree is not None:
            root, learner = one.tree.root, one.tree.learner
            caption = (
                f"{_name(study, one)}: the first tree of {learner}, fitted on all items, its first"
                f" {DEPTH} questions. Above is yes, below is no. At each place the mean of what the"
                " tree says of the items that come there."
            )
            pieces.append(page.figure(tree(root, title=one.target), caption))
            pieces.append(page.preformatted(root.text()))
    return page.join(*pieces)
