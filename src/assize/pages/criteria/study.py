"""Charts of a study of criteria: measures with intervals, precision by threshold, scores by class.

Source: RUBICON, figures 3 to 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from assize.criteria._selected import Curves
from assize.criteria._selection import Objective
from assize.criteria._selection.pool import FEWEST
from assize.criteria._study_result import CriteriaStudy, HeldOutScores, StudyRow
from assize.pages import charts
from assize.pages.criteria.figures import netsat, precision
from assize.pages.result_page import Charts

MOST_DRAWN = 12  # methods and policies
_MEASURES = {
    "delta_netsat": "NetSAT of good less bad conversations",
    "yield_test": "yield",
    "yield_train": "yield, window of the training half",
    "accuracy": "accuracy",
}


def draw_study(result: CriteriaStudy) -> Charts:
    """Return the main measures, and the scores of the first split's test half by row."""
    rows = dict(list(rows_by_name(result).items())[:MOST_DRAWN])
    first = "" if result.splits == 1 else f" of the first of {result.splits} splits"
    curves = (
        f"precision of each label on the test half{first} (solid), and the tanh that sharpness"
        " compares it with (dashed); threshold and open window were learnt on the training half."
    )
    classes = f"NetSAT on the test half{first}."
    return {
        "rows": measures(rows),
        "precision by threshold": _each(rows, lambda scores: _curve(scores, result), curves),
        "scores by class": _each(rows, _distribution, classes),
    }


def rows_by_name(result: CriteriaStudy) -> dict[str, StudyRow]:
    """Return what is drawn, by name: a set that is taken whole once, for policies make none."""
    named: dict[str, StudyRow] = {}
    for row in result.rows:
        plain = row.whole or len(result.policies) == 1
        named.setdefault(row.method if plain else f"{row.method}, {row.policy}", row)
    return named


def measures(rows: Mapping[str, StudyRow]) -> list[tuple[charts.Spec, str]]:
    """Return a chart of the main measures below each other."""
    parts = []
    for measure, title in _MEASURES.items():
        as_share = None if measure == "delta_netsat" else "~%"
        figures = [(name, getattr(row, measure)) for name, row in rows.items()]
        parts.append(charts.means(figures, title=title, format=as_share))
    caption = "The main measures with 95% intervals over test conversations."
    parts = [spec for spec in parts if spec["data"]["values"]]
    return [({"description": caption, "vconcat": parts}, caption)] if parts else []


def known_scores(row: StudyRow) -> HeldOutScores | None:
    """Return the first split's test scores that are known; None where a class is missing."""
    if not row.tests:
        return None
    first = row.tests[0]
    known = first.rows(np.flatnonzero(~np.isnan(first.nets)))
    if min(known.good.sum(), (~known.good).sum()) < FEWEST or np.ptp(known.nets) == 0:
        return None
    return known


def _each(
    rows: Mapping[str, StudyRow], make: Callable[[HeldOutScores], charts.Spec], about: str
) -> list[tuple[charts.Spec, str]]:
    """Return a chart of each row whose scores are known; the first says what is drawn."""
    drawn: list[tuple[charts.Spec, str]] = []
    for name, row in rows.items():
        scores = known_scores(row)
        if scores is not None:
            good, unscored = int(scores.good.sum()), row.tests[0].unscored
            lost = f", {unscored:,} unscored" if unscored else ""
            counts = f"{good:,} good and {len(scores.good) - good:,} bad conversations{lost}"
            caption = f"{name}: {about} {counts}." if not drawn else f"{name}: {counts}."
            drawn.append((make(scores), caption))
    return drawn


def _cuts(scores: HeldOutScores) -> charts.Cuts:
    return charts.Cuts(scores.threshold, scores.learnt.low, scores.learnt.high)


def _curve(scores: HeldOutScores, result: CriteriaStudy) -> charts.Spec:
    curves = Curves.of(scores.nets, scores.good, Objective())
    return precision(curves, _cuts(scores), result.precision)


def _distribution(scores: HeldOutScores) -> charts.Spec:
    good = [bool(label) for label in scores.good]
    return netsat(scores.nets, good, _cuts(scores))
