"""Charts of `assize study reference`: metrics, judges and ensembles beside people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from markupsafe import Markup

from assize.pages import charts, page
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts
from assize.reference._ratings import MAJORITY, NO_MODE, PERFECT, PLURALITY
from assize.reference._study.association import SHORT
from assize.reference._study.ensembles import BEST
from assize.reference._study.result import RatedItems, ReferenceStudy
from assize.reference._study.trees import DEPTH
from assize.results import Mean

MOST_ROWS = 60
"""Metrics that are drawn below each other; the table holds all."""

P_LINE = -math.log10(0.05)
_REACHED = {
    "perfect": PERFECT,
    "majority": MAJORITY,
    "plurality": PLURALITY,
    "no mode": NO_MODE,
}
_LEVEL_COLOURS = (charts.RAMP[5], charts.RAMP[3], charts.RAMP[1], charts.SERIES[5])

Figures = list[tuple[Spec, str]]


def draw_reference_study(study: ReferenceStudy) -> Charts:
    """Return the charts of a study by the table that they stand above."""
    drawn: dict[str, Sequence[tuple[Spec, str] | Markup]] = {
        f"metrics {target}": [
            figure for row in study.rated if row.target == target for figure in means(study, row)
        ]
        for target in study.targets
    }
    drawn["gains"] = list(trees(study))
    drawn["kept"] = level_bars(study)
    drawn["sources"] = []
    drawn["answers"] = [figure for row in study.rated for figure in answer_bars(study, row)]
    drawn["regression"] = [figure for row in study.rated for figure in weights(study, row)]
    return drawn


def name_rows(study: ReferenceStudy, target: str, data: str | None) -> str:
    """Return what rows are of: the target, with the data set where there are several."""
    return target if data is None or len(study.sets) == 1 else f"{data}, {target}"


def means(study: ReferenceStudy, of: RatedItems) -> Figures:
    """Return metrics and cross-validated ensembles with their intervals, on the items' means."""
    rows = []
    for row in study.figures:
        own = (row.target, row.data, row.unit) == (of.target, of.data, "items")
        known = row.metric != BEST and not math.isnan(row.figure.estimate)
        if own and known and row.cross_validated is not False:
            kind = "" if row.statistic == "pearson" else f" ({SHORT[row.statistic]})"
            rows.append((row.metric + kind, row.figure))
    rows.sort(key=lambda row: -row[1].estimate)
    shown = rows[:MOST_ROWS]
    left = f" {len(rows) - len(shown)} more are in the table." if len(rows) > len(shown) else ""
    below = any(figure.estimate < 0 or figure.interval[0] < 0 for _, figure in shown)
    where = "" if of.data is None else f"{of.data}: "
    caption = (
        f"{where}Agreement on {of.items:,} items with 95% intervals: Pearson's correlation, unless"
        f" a row names another figure.{left}"
    )
    title, ends = f"agreement on {of.target}", None if below else (0.0, 1.0)
    return [(charts.means(shown, title=title, range=ends), caption)]


def level_bars(study: ReferenceStudy) -> Figures:
    """Return how many items reach each level and no higher."""
    bars = []
    for data in study.sets:
        for target, ratings in data.ratings.items():
            if ratings.several:
                name = name_rows(study, target, data.label)
                counts = {level: np.sum(ratings.reached == at) for level, at in _REACHED.items()}
                bars += [(name, level, float(n)) for level, n in counts.items()]
    spec = charts.shares(bars, answers=list(_REACHED), title="items", palette=_LEVEL_COLOURS)
    return [(spec, "How far the ratings of an item agree; each item counts once.")]


def answer_bars(study: ReferenceStudy, of: RatedItems) -> Figures:
    """Return how often each rating is given to each source."""
    rows = [row for row in study.answers if (row.target, row.data) == (of.target, of.data)]
    answers = sorted({answer for row in rows for answer in row.answers}, key=float)
    bars = [
        (row.source, answer, float(row.answers.get(answer, 0)))
        for row in rows
        for answer in answers
    ]
    spec = charts.shares(bars, answers=answers, title="ratings")
    return [(spec, f"{name_rows(study, of.target, of.data)}: how often each rating is given.")]


def weights(study: ReferenceStudy, of: RatedItems) -> Figures:
    """Return the p-value of each metric's coefficient by itself."""
    rows = [row for row in study.regression if (row.target, row.data) == (of.target, of.data)]
    rows = rows[:MOST_ROWS]
    name = name_rows(study, of.target, of.data)
    p_values = charts.means(
        [(row.metric, Mean(-math.log10(max(row.alone_p, 1e-300)))) for row in rows],
        title="-log10 of p (line: p = 0.05)",
        mark=P_LINE,
    )
    return [(p_values, f"{name}: p of each metric alone, clustered by conversation.")]


def trees(study: ReferenceStudy) -> Iterator[Markup]:
    """Yield the questions of one tree of each ensemble, as text (UPHELD, figure 6)."""
    for fitted in study.trees:
        caption = (
            f"{name_rows(study, fitted.target, fitted.data)}: the first tree of {fitted.learner},"
            f" fitted on all items, its first {DEPTH} questions. A line shows how many items come"
            " there, and the mean of what the tree predicts for them."
        )
        yield page.join(page.paragraph(caption), page.preformatted(fitted.root.text()))
