"""Charts of `assize reference score`: metrics by source and along the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts
from assize.reference._scores import ReferenceScores, TurnMean
from assize.results.numbers import interval, number

_MOST_METRICS = 9


def draw_reference_scores(scores: ReferenceScores) -> Charts:
    """Return a chart a metric: by turn, above the drift."""
    slopes = {row.metric: row.change for row in scores.drift}
    by_turn = []
    for metric, rows in by_metric(scores.turns):
        slope = slopes[metric]
        change = f"{number(slope.estimate, signed=True)} a turn {interval(slope, signed=True)}"
        by_turn.append((turn_chart(metric, rows), f"{metric}: {change.rstrip()}."))
    return {"sources": [], "drift": by_turn}


def by_metric(rows: Iterable[TurnMean]) -> list[tuple[str, list[TurnMean]]]:
    """Return the rows of each of the first metrics."""
    groups = groupby(rows, lambda row: row.metric)
    return [(metric, list(group)) for metric, group in groups][:_MOST_METRICS]


def turn_chart(metric: str, rows: Sequence[TurnMean]) -> Spec:
    """Return the mean at each turn."""
    curve = charts.Curve.of([float(row.turn) for row in rows], [row.mean for row in rows])
    return charts.curves({metric: curve}, x_title="turn", y_title=metric, dots=True)
