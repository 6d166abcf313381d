"""The charts of `assize agree`: who agrees with whom, and how answers differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from assize import stats
from assize.agreement import Agreement
from assize.agreement.rows import JudgePair
from assize.judgments.answers import Columns, probabilities
from assize.judgments.values import name_answer, scale_of
from assize.pages import charts, page
from assize.pages.result_page import Charts
from assize.results.numbers import with_interval

PAIRS_DRAWN = 6
"""Pairs of judges that are drawn on a question; the table holds all."""

Pictures = list[tuple[charts.Spec, str]]

MATRIX = {"ordinal": "alpha", "number": "spearman"}
"""The statistic of the matrix, by the kind of question; kappa for all others."""


def draw_agreement(result: Agreement) -> Charts:
    """Return the questions' texts, and the charts that stand above the table of pairs."""
    pictures: Pictures = []
    for question, answers in result.answers.items():
        pairs = [pair for pair in result.pairs if pair.question == question]
        drawn = matrix(pairs, answers.question.kind)
        for pair in pairs[:PAIRS_DRAWN]:
            drawn += answers_of_pair(answers, pair)
            if any(row.gold and row.judge == pair.second for row in result.judges):
                drawn += reliability_of_pair(result, answers, pair)
        of = f"{question}: " if len(result.answers) > 1 else ""
        pictures += [(spec, f"{of}{caption}") for spec, caption in drawn]
    texts = [page.paragraph(f"{row.question}: {row.text}") for row in result.questions if row.text]
    return {"questions": texts, "pairs": pictures}


def matrix(pairs: Sequence[JudgePair], kind: str) -> Pictures:
    """Return one statistic of each two judges as a grid, where there are three or more."""
    statistic = MATRIX.get(kind, "kappa")
    cells: dict[tuple[str, str], float | None] = {}
    for pair in pairs:
        figure = getattr(pair, statistic)
        if figure is not None and not np.isnan(figure.estimate):
            cells[pair.first, pair.second] = cells[pair.second, pair.first] = figure.estimate
    judges = list(dict.fromkeys(name for cell in cells for name in cell))
    if len(judges) < 3:
        return []
    spec = charts.agreement_matrix(cells, judges=judges[:20], statistic=statistic)
    caption = f"{statistic} between judges; a stronger colour is closer agreement."
    return [(spec, caption)]


def answers_of_pair(answers: Columns, pair: JudgePair) -> Pictures:
    """Return a confusion table of two judges' answers, or a scatter of scores."""
    x, y = answers.by_judge[pair.second].values, answers.by_judge[pair.first].values
    both = ~(np.isnan(x) | np.isnan(y))
    x, y = x[both], y[both]
    if len(x) == 0:
        return []
    question, scale = answers.question, scale_of(answers.question)
    titles: Any = {"x_title": pair.second, "y_title": pair.first}
    if question.kind != "number" and np.isin([*x, *y], list(scale.values())).all():
        names = {value: name_answer(question, answer) for answer, value in scale.items()}
        counts = Counter((names[b], names[a]) for a, b in zip(x.tolist(), y.tolist(), strict=True))
        spec = charts.confusion(counts, answers=list(names.values()), **titles)
    else:
        spec = charts.scatter(x.tolist(), y.tolist(), range=question.range, **titles)
    return [(spec, f"{pair.first} against {pair.second}: {len(x):,} judged by both.")]


def reliability_of_pair(result: Agreement, answers: Columns, pair: JudgePair) -> Pictures:
    """Return the reliability diagram of a judge that gives probabilities, against gold."""
    predicted = probabilities(result.judgments, answers, pair.first)
    if predicted is None:
        return []
    scale = list(scale_of(answers.question).values())
    low, high = min(scale), max(scale)
    share = np.clip((answers.by_judge[pair.second].values - low) / (high - low), 0, 1)
    curve = stats.smooth_calibration(
        predicted,
        share,
        clusters=np.asarray(answers.items),
        rng=np.random.default_rng(0),
        points=100,
    )
    if np.isnan(curve.error.estimate):
        return []
    spec = charts.reliability(
        curve, x_title=f"probability by {pair.first}", y_title=f"share by {pair.second}"
    )
    error = with_interval(curve.error)
    return [(spec, f"Reliability of {pair.first}: smooth calibration error {error}.")]
