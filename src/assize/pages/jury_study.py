"""The charts of `assize study juries`: what each jury came to, a bar of 100% each."""

from __future__ import annotations

from itertools import groupby

from assize.juries.study import JuryStudy
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.jury import COLOURS
from assize.pages.result_page import Charts

MOST_ROWS = 40
"""Juries that are drawn below each other; the tables hold all."""
ANSWERS = ("win", "tie", "loss", "unscored")


def draw_jury_study(study: JuryStudy) -> Charts:
    """Return each data set's juries, most often right first: their wins, ties and losses."""
    least = study.study.least[0] or None
    known = [row for row in study.juries if row.win is not None and row.least_turns == least]
    drawn: list[tuple[Spec, str]] = []
    for name, group in groupby(known, key=lambda row: row.set):
        rows = sorted(group, key=lambda row: 1.0 if row.win is None else -row.win.estimate)
        counts: list[tuple[str, str, float]] = []
        for row in rows[:MOST_ROWS]:
            shares = [share.count for share in (row.win, row.tie, row.loss) if share is not None]
            each = (*shares, (row.n or 0) - sum(shares))
            counts += [(row.jury, answer, n) for answer, n in zip(ANSWERS, each, strict=True)]
        spec = charts.shares(counts, answers=ANSWERS, title="pairs", palette=COLOURS)
        drawn.append((spec, f"{name}: wins, ties and losses of each judge and jury."))
    return {"juries": drawn}
