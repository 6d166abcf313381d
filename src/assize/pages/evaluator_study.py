"""The charts of `assize study evaluators`: one judge or several, ways to learn, other juries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assize.evaluator._study.studied import EvaluatorStudy, Learner
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.reliabilities import CAPTION, draw_crosses
from assize.pages.result_page import Charts

MEASURES = {"with_tie": "with ties", "without_tie": "without ties"}
MOST_ROWS = 40
"""Rows that are drawn below each other; the table holds all."""


def draw_study(study: EvaluatorStudy) -> Charts:
    """Return the charts of a study: MTDEval's figures 3 and 4, other juries, and the votes."""
    together = [row for row in study.learners if row.name == study.together]
    singles = [row for row in study.learners if row.group == "one judge"]
    others = [
        row
        for row in study.learners
        if row.group in ("all judges", "gold labels", "votes themselves")
    ]
    caption = f"Learnt from each judge alone and from all ({study.together}, the dashed line)"
    ways = "Learnt from all judges, from gold, and the votes themselves without any text"
    crosses = draw_crosses([(study.question, row) for row in study.judges])
    return {
        "learners": [
            *_accuracies([*singles, *together], together, caption),
            *_accuracies(others, together, ways),
        ],
        "juries": [],
        "judges": [(crosses, CAPTION.format(what="the votes alone"))],
        "votes": list(_votes(study)),
    }


def _accuracies(
    rows: Sequence[Learner], together: Sequence[Learner], caption: str
) -> Iterator[tuple[Spec, str]]:
    """A chart with ties and one without; a dashed line at the row of all judges."""
    for name, words in MEASURES.items():
        points = [(row.name, getattr(row, name)) for row in rows[:MOST_ROWS]]
        marks = [getattr(row, name).estimate for row in together]
        mark = next((value for value in marks if not math.isnan(value)), None)
        spec = charts.means(points, title=f"accuracy {words}", format="~%", mark=mark)
        yield spec, f"{caption}, {words}."


def _votes(study: EvaluatorStudy) -> Iterator[tuple[Spec, str]]:
    colours = (charts.SERIES[0], charts.SERIES[5], charts.SERIES[1])
    for question in dict.fromkeys(row.question for row in study.votes):
        counts = [row for row in study.votes if row.question == question][:MOST_ROWS]
        rows = [
            (row.judge, side, float(count))
            for row in counts
            for side, count in (("A", row.a), ("tie", row.tie), ("B", row.b))
        ]
        spec = charts.shares(rows, answers=["A", "tie", "B"], title="votes", palette=colours)
        yield spec, f"{question}: how each judge voted."
