"""The page of `assize evaluator study`: one judge or several, ways to learn, other juries."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from assize.evaluator.study.studied import EvaluatorStudy, single_mean
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.pages.reliabilities import CAPTION, figures_of
from assize.results.numbers import counted, number, percent

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
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=study.signature,
        subtitle=subtitle,
        notes=study.notes,
        reproduce=reproduce,
    )


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
    if not any(map(math.isnan, study.found.interval)):
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
    caption = CAPTION.format(what="the votes alone")
    drawn = [page.figure(spec, caption) for spec in figures_of(study).values()]
    return page.join(*drawn, page.table(study.tables.get("reliabilities")))


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
        colours = (charts.SERIES[0], charts.SERIES[5], charts.SERIES[1])
        spec = charts.shares(rows, answers=["A", "tie", "B"], title="votes", colours=colours)
        drawn.append(page.figure(spec, f"{question}: what each judge said."))
    return page.join(page.figures(*drawn), page.table(study.tables.get("votes")))
