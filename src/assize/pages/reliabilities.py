"""Sensitivity against specificity of each judge, a panel a question, whoever learnt them: MTDEval's
figure 4 (there B is the positive class, so that its alpha is our beta)."""

from __future__ import annotations

from collections.abc import Iterable

from assize.evaluator.evaluator import Evaluator, JudgeReliability
from assize.evaluator.study.studied import EvaluatorStudy, JudgeOnPairs
from assize.juries import JuryResult
from assize.juries.jury_result import short_names
from assize.juries.reliability import LearntReliabilities, Reliable, family
from assize.pages import charts
from assize.pages.result_page import Charts

CAPTION = (
    "Sensitivity and specificity of each judge, learnt from {what}, with 95% intervals. On the"
    " dashed line a judge tells nothing; below it, it is wrong more often than right."
)
Learnt = LearntReliabilities | JuryResult | EvaluatorStudy | Evaluator


def draw_reliabilities(result: LearntReliabilities | JuryResult) -> Charts:
    """Return the chart above the table of reliabilities; none where nothing was learnt."""
    caption = CAPTION.format(what="the votes alone")
    return {name: [(spec, caption)] for name, spec in figures_of(result).items()}


def figures_of(result: Learnt) -> dict[str, charts.Spec]:
    """alpha against beta, a panel a question; none where nothing was learnt of judges.

    Judges have a colour each, their models where there are more than six.
    """
    panels: dict[str, list[charts.Cross]] = {}
    points = list(_points(result))
    judges = list(dict.fromkeys(one.name for _, one in points))
    few = len(judges) <= len(charts.SERIES)
    names = short_names(judges) if few else {name: family(name) for name in judges}
    for question, one in points:
        if one.x == one.x and one.y == one.y:
            named = charts.Cross(names[one.name], one.x, one.y, one.x_ends, one.y_ends)
            panels.setdefault(question, []).append(named)
    if not panels:
        return {}
    return {
        "reliabilities": charts.crosses(
            panels, x_title="alpha (sensitivity)", y_title="beta (specificity)"
        )
    }


def draw_evaluator(evaluator: Evaluator) -> Charts:
    """Return figure 4 above the reliabilities of an evaluator that learnt from votes."""
    caption = CAPTION.format(what="votes and texts")
    return {name: [(spec, caption)] for name, spec in figures_of(evaluator).items()}


def _points(result: Learnt) -> Iterable[tuple[str, charts.Cross]]:
    """Yield a question and a point for each judge, under the judge's full name."""
    if isinstance(result, EvaluatorStudy):
        yield from ((result.question, _point(row)) for row in result.judges)
    else:
        yield from ((row.question, _point(row)) for row in result.reliabilities)


def _point(row: JudgeOnPairs | JudgeReliability | Reliable) -> charts.Cross:
    ends = row.alpha.interval, row.beta.interval
    return charts.Cross(row.judge, row.alpha.estimate, row.beta.estimate, *ends)
