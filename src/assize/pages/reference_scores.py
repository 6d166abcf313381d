"""Charts of `assize reference score`: metrics by source and along the conversation."""

from __future__ import annotations

from itertools import groupby

from assize.pages import charts
from assize.pages.result_page import Charts
from assize.reference._scores import ReferenceScores
from assize.results.numbers import interval, number

_MOST_METRICS = 9


def draw_reference_scores(scores: ReferenceScores) -> Charts:
    """Return a chart a metric, of the first ones: by turn, above the drift."""
    slopes = {row.metric: row.change for row in scores.drift}
    by_turn = []
    for metric, group in groupby(scores.turns, lambda row: row.metric):
        rows, slope = list(group), slopes[metric]
        curve = charts.Curve.of([float(row.turn) for row in rows], [row.mean for row in rows])
        spec = charts.curves({metric: curve}, x_title="turn", y_title=metric, dots=True)
        change = f"{number(slope.estimate, signed=True)} a turn {interval(slope, signed=True)}"
        by_turn.append((spec, f"{metric}: {change.rstrip()}."))
    return {"sources": [], "drift": by_turn[:_MOST_METRICS]}
