"""Sensitivity against specificity of each judge, a panel a question, whoever learnt them: MTDEval's
figure 4 (there B is the positive class, so that its alpha is our beta)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.evaluator._evaluator import Evaluator, JudgeReliability
from assize.evaluator._study.studied import JudgeOnPairs
from assize.juries import JuryResult
from assize.juries.jury_result import short_names
from assize.juries.reliability import LearntReliabilities, Reliable, family
from assize.pages import charts
from assize.pages.result_page import Charts

CAPTION = (
    "Sensitivity and specificity of each judge, learnt from {what}, with 95% intervals. On the"
    " dashed line a judge tells nothing; below it, it is wrong more often than right."
)


def draw_reliabilities(result: LearntReliabilities | JuryResult) -> Charts:
    """Return the chart above the table of reliabilities; none where nothing was learnt."""
    spec = draw_crosses([(row.question, row) for row in result.reliabilities])
    return {"reliabilities": [(spec, CAPTION.format(what="the votes alone"))]}


def draw_evaluator(evaluator: Evaluator) -> Charts:
    """Return figure 4 above the reliabilities of an evaluator that learnt from votes."""
    spec = draw_crosses([(row.question, row) for row in evaluator.reliabilities])
    return {"reliabilities": [(spec, CAPTION.format(what="votes and texts"))]}


def draw_crosses(
    rows: Sequence[tuple[str, JudgeOnPairs | JudgeReliability | Reliable]],
) -> charts.Spec:
    """Return alpha against beta, a panel a question; {} where nothing was learnt of judges.

    Judges have a colour each, their models where there are more than six.

    Args:
        rows: a question, and what was learnt of a judge there.
    """
    judges = list(dict.fromkeys(row.judge for _, row in rows))
    few = len(judges) <= len(charts.SERIES)
    names = short_names(judges) if few else {name: family(name) for name in judges}
    panels: dict[str, list[charts.Cross]] = {}
    for question, row in rows:
        alpha, beta = row.alpha, row.beta
        if not math.isnan(alpha.estimate) and not math.isnan(beta.estimate):
            ends = alpha.interval, beta.interval
            point = charts.Cross(names[row.judge], alpha.estimate, beta.estimate, *ends)
            panels.setdefault(question, []).append(point)
    if not panels:
        return {}
    return charts.crosses(panels, x_title="alpha (sensitivity)", y_title="beta (specificity)")
