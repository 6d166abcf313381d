"""Charts of `assize study calibration`: the paper's figures for one's own ratings."""

from __future__ import annotations

from collections.abc import Sequence

from assize.calibrate._study.result import MOST_RATERS, Study
from assize.judgments.values import name_answer
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts
from assize.results.numbers import counted, with_interval
from assize.stats._studies import MEASURES, Point


def draw_study(study: Study) -> Charts:
    """Return reliability diagrams, learning curves, and how often raters gave each answer."""
    return {
        "reliability": _draw_reliability(study),
        "curve": _draw_curves(study.curve),
        "rater_answers": _draw_raters(study),
    }


def _draw_reliability(study: Study) -> list[tuple[Spec, str]]:
    answers = _name_answers(study)
    figures = []
    for name, diagrams in study.diagrams.items():
        for answer, diagram in zip(answers.values(), diagrams, strict=False):
            spec = charts.reliability(
                diagram, x_title=f"probability of {answer} by {name}", y_title="share of people"
            )
            error = with_interval(diagram.error)
            figures.append((spec, f"{name}, answer {answer}: smooth ECE {error}."))
    return figures


def _draw_curves(points: Sequence[Point]) -> list[tuple[Spec, str]]:
    figures = []
    for measure in points[0].measures if points else ():
        title = MEASURES[measure].title
        curves = {
            method: charts.Curve.of(
                [point.rows for point in points if point.method == method],
                [point.measures[measure] for point in points if point.method == method],
            )
            for method in dict.fromkeys(point.method for point in points)
        }
        spec = charts.curves(curves, x_title="forms learnt from", y_title=title, dots=True)
        many = counted(points[0].subsamples, "random subsample")
        figures.append((spec, f"{title} by forms learnt from: mean and 5-95% of {many}."))
    return figures


def _draw_raters(study: Study) -> list[tuple[Spec, str]]:
    answers = _name_answers(study)
    rows = [
        (f"{row.rater} ({row.forms})", answers[answer], float(count))
        for row in study.rater_answers[:MOST_RATERS]
        for answer, count in row.counts.items()
    ]
    spec = charts.shares(rows, answers=[*answers.values()], title=f"answers to {study.target}")
    return [(spec, f"Answers to {study.target} by rater (number of forms).")]


def _name_answers(study: Study) -> dict[str, str]:
    """The answers to the target, each with its label."""
    question = study.data.forms.target.question
    return {answer: name_answer(question, answer) for answer in question.answers}
